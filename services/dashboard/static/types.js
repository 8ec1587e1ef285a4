// @ts-check
// The board's JSON for those who read this code with a type checker; services/dashboard/board/*shapes.py say it first.

/** @typedef {"banker" | "player" | "tie" | "void"} Winner */
/** @typedef {"none" | "open" | "pass" | "fail"} Lamp */
/** @typedef {"betting" | "closed" | "dealing" | "dealt" | "settled" | "voided" | "halted"} Phase */
/** @typedef {{why: string, player?: number | null, banker?: number | null, third?: string | null}} Reason */
/** @typedef {{hand: string, card: string, position: number, at: string, total: number | null, reason: Reason}} Card */
/**
 * @typedef {object} Bet
 * @property {string} bet
 * @property {string} bettor
 * @property {string} spot
 * @property {number | null} stake
 * @property {"placed" | "withdrawn" | "refused" | "settled"} status
 * @property {string | null} refusal
 * @property {string | null} result
 * @property {string | null} odds
 * @property {number} won
 * @property {number} commission
 * @property {number} returned
 * @property {number | null} net
 */
/**
 * @typedef {object} Round
 * @property {number} number
 * @property {string} at
 * @property {Phase} phase
 * @property {string} opened
 * @property {string} updated
 * @property {Card[]} cards
 * @property {number | null} player_total
 * @property {number | null} banker_total
 * @property {string | null} next
 * @property {Reason | null} next_why
 * @property {Bet[]} bets
 * @property {Winner | null} winner
 * @property {boolean} natural
 * @property {boolean} player_pair
 * @property {boolean} banker_pair
 * @property {number | null} house
 * @property {string | null} reason
 * @property {number} bets_more
 */
/**
 * @typedef {object} Result
 * @property {number} round
 * @property {string} at
 * @property {string} time
 * @property {Winner} winner
 * @property {boolean} natural
 * @property {boolean} player_pair
 * @property {boolean} banker_pair
 * @property {number} player_total
 * @property {number} banker_total
 * @property {number} cards
 * @property {boolean} halted
 * @property {boolean} corrected
 * @property {"open" | "resolved" | null} disputed
 * @property {"open" | "fail" | null} verdict
 */
/** @typedef {{bettor: string, seat: number, bankroll: number, owed: number}} Seat */
/** @typedef {"R" | "B" | null} Mark */
/** @typedef {{big_eye: Mark, small: Mark, cockroach: Mark}} Asked */
/** @typedef {[number, number, string, number]} BigCell */
/** @typedef {[number, number, string]} DerivedCell */
/**
 * @typedef {object} Roads
 * @property {string} bead
 * @property {BigCell[]} big
 * @property {DerivedCell[]} big_eye
 * @property {DerivedCell[]} small
 * @property {DerivedCell[]} cockroach
 * @property {number} waiting
 * @property {Asked} if_banker
 * @property {Asked} if_player
 */
/**
 * @typedef {object} Tally
 * @property {number} rounds
 * @property {number} banker
 * @property {number} player
 * @property {number} tie
 * @property {number} void
 * @property {number} naturals
 * @property {number} player_pairs
 * @property {number} banker_pairs
 * @property {"banker" | "player" | null} run_side
 * @property {number} run
 * @property {number} longest_banker
 * @property {number} longest_player
 */
/** @typedef {{ranks: Record<string, number> | null, unseen: number | null, face_down: number, running_count: number}} Left */
/** @typedef {{at: string, round: string, bettor: string, amount: number, reason: string, dispute: string | null}} Adjustment */
/** @typedef {{dispute: string, round: string, by: string, claim: string, opened: string, resolved: string | null, finding: string | null}} Dispute */
/** @typedef {{code: string, at: string, round: number | null, expected: string, actual: string, amount: number, rule: string, grade: "fault" | "notice"}} Finding */
/** @typedef {{table: string, shoe: number, time: string, finding: Finding}} FindingRow */
/**
 * @typedef {object} Shoe
 * @property {string} table
 * @property {number} shoe
 * @property {"none" | "open" | "closed"} status
 * @property {string} rules
 * @property {string} rules_title
 * @property {string} rules_sha256
 * @property {string} currency
 * @property {number} decks
 * @property {number | null} cards
 * @property {number} drawn
 * @property {number | null} cut_card
 * @property {number | null} cut_card_out
 * @property {string} origin
 * @property {string | null} commitment
 * @property {boolean} revealed
 * @property {string | null} previous_root
 * @property {string} dealer
 * @property {string | null} supervisor
 * @property {string} software
 * @property {string[]} spots
 * @property {string} opened
 * @property {string | null} closed
 * @property {string | null} close_reason
 * @property {Lamp} lamp
 * @property {Record<string, number> | null} counts
 * @property {string | null} root
 */
/**
 * @typedef {object} TableView
 * @property {string} table
 * @property {Shoe | null} shoe
 * @property {Round | null} round
 * @property {Result[]} results
 * @property {Roads} roads
 * @property {Tally} tally
 * @property {Left | null} left
 * @property {Seat[]} seats
 * @property {Finding[]} findings
 * @property {Adjustment[]} adjustments
 * @property {Dispute[]} disputes
 * @property {string | null} updated
 * @property {number} seats_more
 * @property {number} findings_more
 * @property {number} adjustments_more
 */
/**
 * @typedef {object} Tile
 * @property {string} table
 * @property {number | null} shoe
 * @property {"none" | "open" | "closed"} status
 * @property {Phase | null} phase
 * @property {string | null} rules
 * @property {string | null} currency
 * @property {string | null} dealer
 * @property {number} rounds
 * @property {string} last
 * @property {BigCell[]} big
 * @property {number} banker
 * @property {number} player
 * @property {number} tie
 * @property {number | null} cards
 * @property {number} drawn
 * @property {number | null} cut_card
 * @property {Lamp} lamp
 * @property {number} faults
 * @property {number} disputed
 * @property {string | null} updated
 */
/** @typedef {{spot: string, edge: string, share: number}} SpotOdds */
/** @typedef {{shoe: number, after: number, unseen: number, banker: number, player: number, tie: number, spots: SpotOdds[]}} Odds */
/** @typedef {{at: string, type: string, time: string, said: any, view: Partial<TableView>, results: Result[]}} TableMessage */
/** @typedef {{at: string, type: string, time: string, tile: Tile, findings: Finding[]}} LobbyMessage */

export {};
