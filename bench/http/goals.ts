/**
 * The least ratio of requests per second, ours to the bare server's, of each case at 16 connections
 * (a single request for installs, deletions and exports). Above 1 where the bare server counts
 * every time and ours need not.
 */
export const GOALS: Record<string, number> = {
  page: 3,
  filters: 1.6,
  contains: 15,
  'contains-cold': 4,
  'deep-page': 3,
  create: 0.45,
  'install-10k': 0.8,
  'install-100k': 0.8,
  'delete-10k': 0.8,
}

/** How many times as long a read may take with a million records as with ten thousand. */
export const MAX_GROWTH = 1.5

/** Of the number of connections that the goals are for. */
export const GOAL_CONNECTIONS = 16
