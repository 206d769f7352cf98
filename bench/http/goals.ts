/**
 * The least ratio of requests per second, engine to the bare server's, of each case at 16 connections
 * (a single request for installs, deletions and exports). Above 1 where the bare server counts
 * every time, and those of the engine need not.
 */
export const GOALS: Record<string, number> = {
  page: 3,
  filters: 1.6,
  contains: 15,
  'contains-cold': 4,
  'deep-page': 3,
  create: 0.45,
  update: 0.5,
  delete: 0.5,
  'rights-page': 0.7,
  'rights-filters': 0.7,
  'rights-get': 0.7,
  'install-10k': 0.8,
  'install-100k': 0.8,
  'delete-10k': 0.8,
}

/** How many times as long a read may take with a million records as with ten thousand. */
export const MAX_GROWTH = 1.5

/** In ms, from the start of the process to the first response, on a database that has been migrated. */
export const MAX_START_MS = 1000

/** Resident MiB of the server, idle after 100,000 requests. */
export const MAX_IDLE_MIB = 200

/** Requests per second of two workers to those of one, for requests that keep the server busy rather than the database. */
export const LEAST_GAIN_OF_WORKERS = 1.7

/** Of the number of connections that the goals are for. */
export const GOAL_CONNECTIONS = 16
