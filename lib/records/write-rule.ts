import type { Actor, RecordAction } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { mayRead } from '@/lib/registry/may-read'
import { listEntities } from '@/lib/registry/registry'
import type { SearchTarget } from '@/lib/registry/target'
import { forcedValues } from '@/lib/search/forced-values'
import { type Grants, grantsOf } from '@/lib/search/grants'
import { ID_FIELD } from '@/lib/search/resolve-field'
import { restrictedTarget } from '@/lib/search/restricted-target'
import { type Rule, ruleOf } from '@/lib/search/rule'
import { requireCarriedOut } from '@/lib/search/rule-size'
import type { Verdict } from '@/lib/search/verdict'
import type { JsonObject } from '@/lib/values/json'

export type WriteAction = Exclude<RecordAction, 'read'>

/** What the policies of a caller say of an action on records of an entity. A rule that is null is the same for all of them. */
export type WriteRule = {
  actor: Actor
  entity: Entity
  action: WriteAction
  /** The entity as the caller reads it; null without the right to read, when nothing of it is shown. */
  visible: SearchTarget | null
  /** Of reading. */
  read: Rule | null
  /** Of the records that are changed or deleted, as they are before. */
  stored: Rule | null
  /** Of the records that are written, as they are afterwards. */
  written: Rule | null
  /** Values that they get, whatever was sent; later ones replace earlier ones. */
  set: readonly JsonObject[]
  /** The policies that allow a change, by the record before it and after it, where they are several: one of them must allow both. */
  grants: { stored: Grants; written: Grants } | null
}

/**
 * Null where policies make no difference between records and between fields, neither in reading nor in this action: then
 * everything goes its usual way. `entities`: all that are installed.
 */
export function writeRuleAmong(
  actor: Actor,
  entity: Entity,
  action: WriteAction,
  entities: readonly Entity[],
): WriteRule | null {
  if (!actor.policies?.length) return null
  const isReader = mayRead(actor, entity)
  const read = isReader ? ruleOf(actor, entity, 'read', entities) : null
  const stored = action === 'write' ? null : ruleOf(actor, entity, action, entities)
  const written = action === 'delete' ? null : ruleOf(actor, entity, action, entities, 'written')
  for (const rule of [read, stored, written]) requireCarriedOut(rule, entity.name)
  const set = action === 'delete' ? [] : forcedValues(actor, entity, action, entities)
  if (!read && !stored && !written && set.length === 0) return null
  const visible = isReader ? restrictedTarget(entity, actor, entities) : null
  const grants = action === 'update' && written ? grantsAround(actor, entity, entities) : null
  return { actor, entity, action, visible, read, stored, written, set, grants }
}

function grantsAround(
  actor: Actor,
  entity: Entity,
  entities: readonly Entity[],
): WriteRule['grants'] {
  const stored = grantsOf(actor, entity, 'update', entities, 'stored')
  const written = grantsOf(actor, entity, 'update', entities, 'written')
  return stored && written ? { stored, written } : null
}

/** The same among the installed entities. */
export async function writeRule(
  deps: Deps,
  actor: Actor,
  entity: Entity,
  action: WriteAction,
): Promise<WriteRule | null> {
  if (!actor.policies?.length) return null
  return writeRuleAmong(actor, entity, action, await listEntities(deps))
}

/** What a rule says of a field in the records that it allows. */
export function fieldVerdict(
  rule: Rule | null,
  { keys, properties }: Entity,
  name: string,
): Verdict {
  if (rule === null || keys.includes(name) || name === ID_FIELD) return true
  return rule.fields.get(name) ?? (properties.some((one) => one.name === name) || rule.rest)
}

/** Whether the caller may write the field, in all records, in none or in some. */
export const writeVerdict = (rule: WriteRule, name: string): Verdict =>
  fieldVerdict(rule.action === 'write' ? rule.written : rule.stored, rule.entity, name)

/** Whether the field is shown in some record at least, so that it may be named. */
export const isReadable = ({ visible, read, entity }: WriteRule, name: string): boolean =>
  visible !== null && fieldVerdict(read, entity, name) !== false

/** Whether every record shows the field. */
export const isReadableInAll = ({ visible, read, entity }: WriteRule, name: string): boolean =>
  visible !== null && fieldVerdict(read, entity, name) === true

/** The same of several: whether a change of them may tell which records had the values already. */
export const areReadableInAll = (rule: WriteRule, names: readonly string[]): boolean =>
  names.every((name) => isReadableInAll(rule, name))

/** Whether the caller knows of the field: it may be read or written in some record. */
export const isKnown = (rule: WriteRule, name: string): boolean =>
  isReadable(rule, name) || writeVerdict(rule, name) !== false

/** Whether each record shows all of its fields to the caller. */
export const readsWhole = ({ visible, read }: WriteRule): boolean =>
  visible !== null && (read === null || (read.fields.size === 0 && read.rest === true))
