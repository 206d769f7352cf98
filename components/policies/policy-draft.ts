import type { GroupCondition } from '@/components/data-table/filter/condition'
import { fromGroup, toGroup } from '@/components/data-table/filter/group'
import { formOf } from '@/components/kinds/value-forms'
import { ACTION_WORDS } from '@/components/roles/right-words'
import { type FieldList, RECORD_ACTIONS, type RecordAction } from '@/lib/auth/rights'
import type { ColumnDescription } from '@/lib/tables/column-contract'
import type { ExactJson } from '@/lib/values/exact-json'
import type { Policy, PolicyInput } from './policy-queries'

/** A value that a policy puts into a field. */
export type ForcedValue = { field: string; value: unknown }

/** A policy as the form has it. */
export type PolicyDraft = {
  id?: string
  /** Whose it is; without it, it was made here. */
  plugin?: string
  name: string
  description: string
  principals: string[]
  entities: string[]
  actions: RecordAction[]
  allow: boolean
  /** Null: all rows. */
  where: GroupCondition | null
  fields: FieldList
  set: ForcedValue[]
  /** Null: the conditions of `where`. */
  check: GroupCondition | null
}

/** What a cell of the table is about. */
export type Subject = { role: string; entity: string; action: RecordAction }

const ALL_FIELDS: FieldList = { except: [] }

/** A policy that allows everything that the cell is about. */
export const newDraft = (
  { role, entity, action }: Subject,
  taken: readonly Policy[],
): PolicyDraft => ({
  ...{ name: freeName(`${role}: ${ACTION_WORDS[action].toLowerCase()} ${entity}`, taken) },
  ...{ description: '', principals: [role], entities: [entity], actions: [action], allow: true },
  ...{ where: null, fields: ALL_FIELDS, set: [], check: null },
})

/** A local policy that takes away what one of a plugin gives. */
export const denialOf = (
  policy: Policy,
  subject: Subject,
  taken: readonly Policy[],
): PolicyDraft => ({
  ...newDraft(subject, taken),
  name: freeName(`${subject.role}: not “${policy.name}”`.slice(0, MAX_NAME), taken),
  allow: false,
  actions: actionsOf(policy.actions),
})

const MAX_NAME = 120

/** `Clerk: read Order`, with a number where a policy is called so. */
function freeName(name: string, taken: readonly Policy[]): string {
  const names = new Set(taken.map((policy) => policy.name.toLowerCase()))
  const numbered = (at: number): string => (at === 1 ? name : `${name} ${at}`)
  let at = 1
  while (names.has(numbered(at).toLowerCase())) at++
  return numbered(at)
}

const actionsOf = (actions: readonly string[]): RecordAction[] =>
  RECORD_ACTIONS.filter((action) => actions.includes('*') || actions.includes(action))

export const draftOf = (policy: Policy): PolicyDraft => ({
  ...{ id: policy.id, name: policy.name, description: policy.description ?? '' },
  ...(policy.plugin === null ? {} : { plugin: policy.plugin }),
  ...{ principals: policy.principals, entities: policy.entities, allow: policy.allow },
  actions: actionsOf(policy.actions),
  where: policy.where?.length ? toGroup(policy.where) : null,
  fields: policy.fields ?? ALL_FIELDS,
  set: Object.entries(policy.set ?? {}).map(([field, value]) => ({ field, value })),
  check: policy.check ? toGroup(policy.check) : null,
})

export const isWriting = (action: RecordAction): boolean =>
  action === 'write' || action === 'update'

/** The policy that a draft means; what its actions have no use for is left out. */
export function policyOf(
  draft: PolicyDraft,
  columns: readonly ColumnDescription[],
): PolicyInput & { id?: string } {
  const { where, fields, set, check, actions, allow, description, plugin: _, ...named } = draft
  const writes = allow && actions.some(isWriting)
  const hasFields = actions.some((action) => action !== 'delete')
  const values = set.filter(({ field }) => field !== '')
  return {
    ...named,
    ...{ actions, allow, description: description.trim() || null },
    where: where && where.filters.length > 0 ? fromGroup(where) : null,
    fields: hasFields && !isAllFields(fields) ? fields : null,
    set: writes && values.length > 0 ? toValues(values, columns) : null,
    check: writes && check ? fromGroup(check) : null,
  }
}

const toValues = (set: readonly ForcedValue[], columns: readonly ColumnDescription[]) =>
  Object.fromEntries(
    set.map(({ field, value }): [string, ExactJson] => [field, readValue(value, field, columns)]),
  )

/** What is typed is a text; `$me` and its like are filled in by the server. */
function readValue(
  value: unknown,
  field: string,
  columns: readonly ColumnDescription[],
): ExactJson {
  const kind = columns.find(({ name }) => name === field)?.kind
  if (typeof value !== 'string' || !kind || value.startsWith('$')) return (value ?? '') as ExactJson
  const parsed = formOf(kind).parse(value)
  return 'value' in parsed ? parsed.value : value
}

const isAllFields = (fields: FieldList): boolean => 'except' in fields && fields.except.length === 0

/** The list with a field named or not. */
export function withField(list: FieldList, name: string, on: boolean): FieldList {
  const others = (names: readonly string[]) => names.filter((each) => each !== name)
  if ('except' in list) return { except: on ? others(list.except) : [...others(list.except), name] }
  return on ? [...others(list), name] : others(list)
}

/** The same fields of those that there are, with or without those that come later. */
export function withLater(list: FieldList, later: boolean, names: readonly string[]): FieldList {
  const isOn = (name: string) =>
    'except' in list ? !list.except.includes(name) : list.includes(name)
  return later ? { except: names.filter((name) => !isOn(name)) } : names.filter(isOn)
}
