import { mkdir, statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { type Db, one, rows } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { formatBytes } from '@/lib/values/format-bytes'
import { type Check, fault, ok, type Verdict, warning } from './check'

/** What the server stands on beside its database. */
export const SURROUNDINGS_CHECKS: readonly Check[] = [
  {
    name: 'disk',
    title: 'Data folder',
    look: async ({ settings }) => {
      await mkdir(settings.DATA_DIR, { recursive: true })
      const { bavail, blocks, bsize } = await statfs(settings.DATA_DIR)
      return diskVerdict(bavail * bsize, blocks * bsize)
    },
  },
  {
    name: 'images',
    title: 'Storage of images',
    look: async ({ storage: { current } }) => {
      const refused = await current.check().then(() => null, whyRefused)
      return refused === null
        ? ok(`Images can be stored (${current.provider}).`)
        : fault(
            `Images can’t be stored (${current.provider})${refused}.`,
            'Check CLOUDINARY_URL, or the rights and the space of the data folder.',
          )
    },
  },
  {
    name: 'replicas',
    title: 'Read replicas',
    look: ({ replicas }) => {
      const states = replicas?.states() ?? []
      const unread = states.filter(({ status }) => status !== 'fresh')
      if (unread.length === 0) return ok(states.length > 0 ? 'All are read.' : 'There are none.')
      return warning(
        `${unread.length} of ${states.length} are not read: ${unread.map(({ status }) => status).join(', ')}.`,
        'See Settings for which, and why; the database answers in their place.',
      )
    },
  },
  {
    name: 'clock',
    title: 'Clock',
    look: async ({ db }) => clockVerdict(await clockDifferenceMs(db)),
  },
]

const whyRefused = (error: unknown) => (error instanceof AppError ? `: ${error.message}` : '')

const GIB = 1024 ** 3

export function diskVerdict(free: number, all: number): Verdict {
  const finding = `${formatBytes(free)} of ${formatBytes(all)} are free.`
  const action = 'Make room, or enlarge the volume: uploads, exports and backups need it.'
  if (free < GIB / 4) return fault(finding, action)
  return free < GIB || free < all / 20 ? warning(finding, action) : ok(finding)
}

/** By how much the clock of the database is ahead; the way there and back counts as half each. */
async function clockDifferenceMs(db: Db): Promise<number> {
  const asked = Date.now()
  const { at } = one(
    await rows<{ at: number }>(
      db,
      sql`select extract(epoch from clock_timestamp())::float8 * 1000 as at`,
    ),
  )
  return at - (asked + Date.now()) / 2
}

export function clockVerdict(differenceMs: number): Verdict {
  const seconds = Math.abs(differenceMs) / 1000
  const side = differenceMs < 0 ? 'behind' : 'ahead of'
  const finding = `The clock of the database is ${seconds.toFixed(1)} s ${side} that of this server.`
  const action = 'Let both be set by NTP: links, sessions and codes are valid by their clocks.'
  if (seconds >= 30) return fault(finding, action)
  return seconds >= 2 ? warning(finding, action) : ok(finding)
}
