import type { Env } from '@/lib/env'
import { FAILED_MAIL_DAYS } from '@/lib/mail/store'
import { JOB_DAYS } from './terms'

/** Data that is kept for some time after its use: whoever deletes it says so here. */
export type Kept = {
  name: string
  title: string
  /** Tables of the schema `engine`: that of the entries first. */
  tables: readonly [string, ...string[]]
  /** When an entry of the first table was made; null where it does not say so. */
  at: string | null
  /** Whether an index has the oldest one. */
  isIndexed?: true
  settings: readonly (keyof Env)[]
  /** How long and how much. */
  rule: (settings: Env) => string
}

declare module '@/lib/around' {
  interface Lists {
    retention: Kept
  }
}

export const daysOf = (days: number): string =>
  `${days.toLocaleString('en')} ${days === 1 ? 'day' : 'days'}`

const daysOrAlways = (days: number | undefined): string =>
  days === undefined ? 'Indefinitely' : daysOf(days)

/** What the core keeps. */
export const KEPT: readonly Kept[] = [
  {
    name: 'audit',
    title: 'Audit log',
    tables: ['audit_log'],
    at: 'created_at',
    isIndexed: true,
    settings: ['AUDIT_DAYS'],
    rule: ({ AUDIT_DAYS }) => daysOrAlways(AUDIT_DAYS),
  },
  {
    name: 'mails',
    title: 'Mails',
    tables: ['mails'],
    at: 'created_at',
    isIndexed: true,
    settings: ['MAIL_DAYS'],
    rule: ({ MAIL_DAYS }) =>
      `${daysOrAlways(MAIL_DAYS)}; their text until they are sent, ${daysOf(FAILED_MAIL_DAYS)} where that fails`,
  },
  {
    name: 'imports',
    title: 'Imports',
    tables: ['imports', 'import_parts'],
    at: 'created_at',
    settings: [],
    rule: () => `${daysOf(JOB_DAYS)} after their end`,
  },
  {
    name: 'exports',
    title: 'Exports',
    tables: ['exports', 'export_parts'],
    at: 'created_at',
    settings: [],
    rule: () => `${daysOf(JOB_DAYS)} after their end`,
  },
  {
    name: 'installs',
    title: 'History of plugins',
    tables: ['installs', 'install_files'],
    at: 'started_at',
    settings: [],
    rule: () => 'Indefinitely',
  },
  {
    name: 'sessions',
    title: 'Sessions',
    tables: ['sessions'],
    at: 'created_at',
    settings: ['SESSION_MAX_DAYS'],
    rule: ({ SESSION_MAX_DAYS }) => `At most ${daysOf(SESSION_MAX_DAYS)} from the sign-in`,
  },
]
