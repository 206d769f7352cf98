import { type Actor, can } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { restrictedTarget } from '@/lib/search/restricted-target'
import { type Rule, ruleOf } from '@/lib/search/rule'

/** So many references are followed from the entity of a view. */
const MAX_STEPS = 3

/** Whether the text of a view names a field that is hidden from `actor`, of its entity or of one that this refers to. */
export function namesHiddenField(
  params: string,
  entity: Entity,
  actor: Actor,
  installed: readonly Entity[],
): boolean {
  const text = [...new URLSearchParams(params)].flat().join('\n')
  return hiddenNames(entity, actor, installed).some((name) => isNamedIn(text, name))
}

/** With the names of references before those of referred entities: `branch.budget`; all of those of one that may not be read. */
function hiddenNames(
  entity: Entity,
  actor: Actor,
  installed: readonly Entity[],
  steps = MAX_STEPS,
): string[] {
  const rule = ruleOf(actor, entity, 'read', installed)
  const own = rule ? hiddenBy(rule, entity) : []
  if (steps === 0) return own
  const { fields } = restrictedTarget(entity, actor, installed)
  const shown = new Set(fields.map(({ name }) => name))
  const further = entity.properties.flatMap(({ name, rules }) => {
    const referred = installed.find((one) => one.name === rules.reference?.entity)
    if (!referred || !shown.has(name)) return []
    const hidden = can(actor, { entity: referred.name, action: 'read' })
      ? hiddenNames(referred, actor, installed, steps - 1)
      : [...referred.properties.map((one) => one.name), ...referred.extraFields]
    return hidden.map((field) => `${name}.${field}`)
  })
  return [...own, ...further]
}

function hiddenBy({ fields, rest }: Rule, { extraFields, open }: Entity): string[] {
  const named = [...fields].filter(([, verdict]) => verdict === false).map(([name]) => name)
  return open && rest === false
    ? [...named, ...extraFields.filter((name) => !fields.has(name))]
    : named
}

const PART_OF_NAME = /[\p{L}\p{N}_$]/u

/** Whether a name stands in a text by itself. */
function isNamedIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + name.length]]
    if (!PART_OF_NAME.test(before) && !PART_OF_NAME.test(after)) return true
  }
  return false
}
