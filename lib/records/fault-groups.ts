import {
  type FaultGroup,
  type FaultRule,
  MAX_ALLOWED,
  MAX_SHOWN,
  MAX_VALUES,
} from '@/lib/definitions/fault-group'
import type { Json } from '@/lib/values/json'

/** One fault of a record of a file; the functions are only called for the first of a group. */
export type AboutFault = {
  rule: FaultRule
  field: string | null
  index: number | undefined
  value?: Json | undefined
  allowed?: () => Json | undefined
  message: () => string
}

/** Most pairs of a rule and a field; further fields of a rule are counted together. */
const MAX_RULES = 50
const MAX_VALUE_CHARS = 120

type Some = { total: number; indexes: number[] }
type Group = Some & {
  rule: FaultRule
  field: string | null
  allowed: Json | undefined
  message: string
  /** By value; null once there are too many, or one that is too large to be compared. */
  values: Map<Json | undefined, Some> | null
  examples: Json[]
}

/** Counts faults by rule, field and value, in little memory however many there are. */
export class FaultGroups {
  private readonly groups = new Map<string, Group>()

  note(about: AboutFault): void {
    const group = this.groupOf(about)
    count(group, about.index)
    const { value } = about
    if (value !== undefined && !isComparable(value)) group.values = null
    else addExample(group, value)
    if (group.values === null) return
    const same = group.values.get(value) ?? { total: 0, indexes: [] }
    group.values.set(value, same)
    count(same, about.index)
    if (group.values.size > MAX_VALUES) group.values = null
  }

  /** The largest first; their totals add up to the number of faults. */
  list(): FaultGroup[] {
    return [...this.groups.values()].flatMap(toGroups).sort((a, b) => b.total - a.total)
  }

  private groupOf({ rule, field, allowed, message }: AboutFault): Group {
    const known = this.groups.get(`${rule} ${field ?? ''}`)
    if (known) return known
    const own = this.groups.size < MAX_RULES
    const name = own ? `${rule} ${field ?? ''}` : rule
    const found = this.groups.get(name) ?? {
      rule,
      field: own ? field : null,
      allowed: own ? limited(allowed?.()) : undefined,
      message: message(),
      total: 0,
      indexes: [],
      values: own ? new Map() : null,
      examples: [],
    }
    this.groups.set(name, found)
    return found
  }
}

function count(some: Some, index: number | undefined): void {
  some.total++
  if (index === undefined || some.indexes.length >= MAX_SHOWN || some.indexes.at(-1) === index)
    return
  some.indexes.push(index)
}

function addExample({ examples }: Group, value: Json | undefined): void {
  if (value === undefined || examples.length >= MAX_SHOWN || examples.includes(value)) return
  examples.push(value)
}

const isComparable = (value: Json): boolean =>
  typeof value === 'string' ? value.length <= MAX_VALUE_CHARS : typeof value !== 'object' || !value

/** Of a long list only the beginning. */
const limited = (allowed: Json | undefined): Json | undefined =>
  Array.isArray(allowed) ? allowed.slice(0, MAX_ALLOWED) : allowed

function toGroups({ values, total, indexes, examples, allowed, ...group }: Group): FaultGroup[] {
  const base = {
    ...group,
    entity: null,
    keys: [],
    filter: null,
    ...(allowed === undefined ? {} : { allowed }),
  }
  if (values === null)
    return [{ ...base, total, indexes, ...(examples.length > 0 ? { examples } : {}) }]
  return [...values].map(([value, some]) => ({
    ...base,
    ...some,
    ...(value === undefined ? {} : { value }),
  }))
}
