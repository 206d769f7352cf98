/** By the number of connections; 0 is a single request, as of installs, deletions and exports. */
export type Goal = Record<number, number>

const at16 = (ratio: number): Goal => ({ 16: ratio })
const single = (ratio: number): Goal => ({ 0: ratio })

/**
 * The least ratio of requests per second, engine to the bare server's, of each case. Above 1 where the bare
 * server counts every time, and the engine need not.
 */
export const GOALS: Record<string, Goal> = {
  get: at16(0.5),
  cursor: at16(0.6),
  filters: at16(0.9),
  'filters-written': at16(0.8),
  'contains-rare': at16(0.7),
  contains: at16(4),
  create: { 1: 0.5, 16: 0.7 },
  update: { 1: 0.5, 16: 0.5 },
  delete: { 1: 0.5, 16: 0.5 },
  batch: at16(0.9),
  mixed: at16(1.5),
  'page-remembered': at16(3),
  'filters-remembered': at16(1.6),
  'contains-remembered': at16(15),
  'deep-page-remembered': at16(3),
  'rights-page': at16(0.7),
  'rights-filters': at16(0.7),
  'rights-get': at16(0.7),
  expand: at16(0.7),
  some: at16(0.8),
  'events-create': at16(0.8),
  'events-update': at16(0.8),
  'events-batch': at16(0.8),
  'install-10k': single(0.8),
  'install-100k': single(0.8),
  'install-10k-keyless': single(0.7),
  'install-100k-keyless': single(1),
  'install-small-files': single(0.5),
  'delete-10k': single(0.8),
  'directus-get': at16(5),
  'directus-50': at16(5),
  'directus-filters': at16(5),
  'directus-create': at16(5),
  'directus-update': at16(5),
}

/** How many times as long a read may take with the largest table as with ten thousand records. */
export const MAX_GROWTH = 1.5

/** In ms, from a change to who has subscribed to the entity, 95 of 100, beside 500 others a second. */
export const MAX_CHANGE_MS = 150

/** More MiB of the server for 1,000 idle streams of changes, and the share of a processor that they take. */
export const MAX_STREAMS_MIB = 60
export const MAX_STREAMS_CPU = 0.02

/** In ms, from the start of the process to the first response, on a database that has been migrated. */
export const MAX_START_MS = 1000

/** Resident MiB of the server, idle after 100,000 requests. */
export const MAX_IDLE_MIB = 160

/** Requests per second of two workers to those of one, for requests that keep the server busy rather than the database. */
export const LEAST_GAIN_OF_WORKERS = 1.7

/** In ms, 95 of 100, of searches among a million records. */
export const MAX_FINDING_MS: Record<string, number> = { 'text-search': 30, near: 20 }

/** The least ratio of their medians, the bare server's to the engine's. */
export const LEAST_FINDING: Record<string, number> = { 'text-search': 0.7 }
