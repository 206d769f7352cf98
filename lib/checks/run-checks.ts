import pLimit from 'p-limit'
import { withOwnBudget } from '@/lib/db/budget'
import { databaseError, reasonOf } from '@/lib/db/errors'
import type { Deps } from '@/lib/deps'
import type { ServerCheck } from './contract'
import { BACKUP_CHECKS } from './each/backups'
import { type Check, type Checked, type Verdict, warning } from './each/check'
import { CONFIGURATION_CHECKS } from './each/configuration'
import { DATABASE_CHECKS } from './each/database'
import { SURROUNDINGS_CHECKS } from './each/surroundings'
import { UPKEEP_CHECKS } from './each/upkeep'

const CHECKS: readonly Check[] = [
  ...CONFIGURATION_CHECKS,
  ...DATABASE_CHECKS,
  ...UPKEEP_CHECKS,
  ...SURROUNDINGS_CHECKS,
  ...BACKUP_CHECKS,
]

/** Of one check. A database that answers none of them takes `CHECKS / AT_A_TIME` times as long. */
const TIMEOUT_MS = 2_000
/** So that they take few of the connections for requests. */
const AT_A_TIME = 4

/** Looks at all that operators have to see to. What can't be looked at in time is a warning by itself. */
export function runChecks(
  deps: Deps,
  headers: Headers,
  { checks = CHECKS, timeoutMs = TIMEOUT_MS } = {},
): Promise<ServerCheck[]> {
  const checked = { ...deps, headers }
  const limit = pLimit(AT_A_TIME)
  return Promise.all(
    checks.map((check) =>
      limit(async () => ({
        ...{ name: check.name, title: check.title },
        ...(await sharedVerdict(check, checked, timeoutMs)),
      })),
    ),
  )
}

const looking = new WeakMap<Check, Promise<Verdict>>()

/** Who asks while others do gets the same verdict: many that ask at once cost as much as one. */
function sharedVerdict(check: Check, checked: Checked, timeoutMs: number): Promise<Verdict> {
  if (check.ofRequest) return verdictOf(check, checked, timeoutMs)
  const running = looking.get(check)
  if (running) return running
  const verdict = verdictOf(check, checked, timeoutMs).finally(() => looking.delete(check))
  looking.set(check, verdict)
  return verdict
}

async function verdictOf(check: Check, checked: Checked, timeoutMs: number): Promise<Verdict> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => resolve(tooLate(timeoutMs)), timeoutMs)
  })
  // The first of those that ask may leave before the others.
  const looked = withOwnBudget({ ms: timeoutMs }, async () => check.look(checked)).catch(
    (error: unknown) => failed(check, checked, error),
  )
  return Promise.race([looked, late]).finally(() => clearTimeout(timer))
}

const tooLate = (timeoutMs: number): Verdict =>
  warning(
    `There was no answer within ${timeoutMs / 1000} s.`,
    'Try again; if it stays so, what is checked here is overloaded or away.',
  )

/** Errors may hold addresses and values: they go into the log. */
function failed({ name }: Check, { log }: Checked, error: unknown): Verdict {
  if (databaseError(error)?.code === INSUFFICIENT_PRIVILEGE)
    return warning(
      'The role of the database may not look at this.',
      'Grant it pg_monitor, or look with another role.',
    )
  log.warn({ check: name, error: reasonOf(error) }, 'a check failed')
  return warning('This could not be checked.', 'The log says why.')
}

const INSUFFICIENT_PRIVILEGE = '42501'
