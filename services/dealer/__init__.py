"""The dealer: opens shoes, takes bets, deals. Holds the seed until the shoe closes."""
