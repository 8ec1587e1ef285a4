"""Opens shoes, takes bets and deals; holds the seed until the shoe closes; never pays."""
