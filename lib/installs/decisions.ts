import { type SQL, sql } from 'drizzle-orm'
import { AppError, type Validation } from '@/lib/errors'
import { JsonSyntaxError, parseJson } from '@/lib/values/json'
import { type Decisions, decisionsSchema } from './contract'

/** Reads the field `decisions` of a form. Throws `invalid_input` that names what is wrong. */
export function readDecisions(text: string | undefined): Decisions | undefined {
  if (!text?.trim()) return undefined
  const result = decisionsSchema.safeParse(parsed(text))
  if (result.success) return result.data
  throw invalid(
    result.error.issues.map(({ path, message }) => ({
      field: ['decisions', ...path].join('.'),
      error: message,
    })),
  )
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw invalid([{ field: 'decisions', error: `Is not valid JSON: ${error.message}` }])
  }
}

const invalid = (validations: Validation[]) =>
  new AppError('invalid_input', `${validations[0]?.field}: ${validations[0]?.error}`, {
    validations,
  })

/** Decides about the records of an entity. */
export type Decider = {
  /** Of records that are not named. */
  otherwise: 'keep' | 'take' | 'fail'
  keep: ReadonlySet<string>
  take: ReadonlySet<string>
}

export const deciderOf = (
  otherwise: Decider['otherwise'],
  { keep = [], take = [] }: Partial<Decisions[string]> = {},
): Decider => ({ otherwise, keep: new Set(keep), take: new Set(take) })

/** Null for a record that nothing is decided about. */
export function decisionOf({ otherwise, keep, take }: Decider, key: string) {
  if (keep.has(key)) return 'keep'
  if (take.has(key)) return 'take'
  return otherwise === 'fail' ? null : otherwise
}

/** Whether the plugin's side of a record with this key is taken. */
export function takesSql({ otherwise, keep, take }: Decider, key: SQL): SQL {
  if (otherwise !== 'take') return take.size > 0 ? isAmong(key, take) : NO
  return keep.size > 0 ? sql`not ${isAmong(key, keep)}` : YES
}

/** Of a function's result PostgreSQL makes a hash table; every record would be compared with all elements of an array. */
const isAmong = (key: SQL, keys: ReadonlySet<string>): SQL =>
  sql`(${key} in (select jsonb_array_elements_text(${JSON.stringify([...keys])}::jsonb)))`

const [YES, NO] = [sql`true`, sql`false`]

/** The same text for the same decisions. */
export const decisionsText = (decisions: Decisions = {}): string =>
  JSON.stringify(
    Object.entries(decisions)
      .filter(([, { keep, take }]) => keep.length + take.length > 0)
      .map(([entity, { keep, take }]) => [entity, [...keep].sort(), [...take].sort()])
      .sort(),
  )

type Unmet = { entity: string; key: string }
const MAX_NAMED = 10

/** Throws `invalid_input` when there are decisions about records without a conflict. */
export function refuseUnmet(unmet: readonly Unmet[]): void {
  if (unmet.length === 0) return
  const listed = unmet.slice(0, MAX_NAMED).map(({ entity, key }) => `${entity} "${key}"`)
  const more = unmet.length - listed.length
  const names = [...listed, ...(more > 0 ? [`${more} more`] : [])].join(', ')
  const error = `The decisions name records without a conflict: ${names}. Leave them out`
  throw new AppError('invalid_input', error, { validations: [{ field: 'decisions', error }] })
}

/** The keys that are decided about, of all entities. */
export const decidedKeys = (decisions: Decisions = {}): Unmet[] =>
  Object.entries(decisions).flatMap(([entity, { keep, take }]) =>
    [...keep, ...take].map((key) => ({ entity, key })),
  )
