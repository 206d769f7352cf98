import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { readableTarget } from '@/lib/search/find-target'
import type { ConditionsInput } from '@/lib/search/read-input'
import { resolveMatches } from '@/lib/search/resolve-search'
import { type Rule, ruleOf } from '@/lib/search/rule'
import { all } from '@/lib/search/verdict'

/**
 * What `actor` sees of an entity's records, and of those what meets the conditions; null: all of all. `installed`: all
 * entities. Throws `invalid_input` for conditions that do not fit, `forbidden` as `readableTarget` does.
 */
export function viewRule(
  actor: Actor,
  entity: Entity,
  installed: readonly Entity[],
  input: ConditionsInput | null,
): Rule | null {
  const rule = ruleOf(actor, entity, 'read', installed)
  if (!input || input.conditions.length === 0) return rule
  const { where, joins } = resolveMatches(readableTarget(entity, actor, installed), input)
  return { fields: new Map(), rest: true, ...rule, rows: all(where), joins }
}
