import type {
  Entity,
  EntityDefinition,
  FieldReference,
  Property,
  SchemaDefinition,
} from '@/lib/definitions/definition'
import { mapDisplay } from '@/lib/definitions/map-display'
import type { PolicyDefinition } from '@/lib/definitions/policy'
import { renamedExpression } from '@/lib/definitions/renamed-expression'
import { renamedConditions, renamedPolicy } from '@/lib/definitions/renamed-policy'
import type { WebhookDefinition } from '@/lib/definitions/webhook'
import type { Selection } from '@/lib/lifecycle/export/selection'
import type { Json } from '@/lib/values/json'

/** A field of a schema under a new name; `label` is that of the field from then on. */
export type FieldRenaming = { schema: string; from: string; to: string; label?: string }

/**
 * The definitions of a plugin after a field was renamed, wherever they name it: keys, indexes, rules, references to
 * it, computed fields, policies and webhooks. The field says its former name, so that installing them moves its values. Pure.
 */
export function renameField(selection: Selection, renaming: FieldRenaming): Selection {
  const { schema, from, to } = renaming
  const nameOf: NameOf = (name) => (name === from ? to : name)
  const usesIt = (entity: EntityDefinition) => (entity.engineSchema ?? entity.name) === schema
  const definitions = selection.entities.map(({ entity }) => entity.definition)
  const renamed = new Set(definitions.filter(usesIt).map(({ name }) => name))
  const references = (one: SchemaDefinition) => followReferences(one, renamed, nameOf)
  return {
    ...selection,
    schemas: selection.schemas.map((one) =>
      references(one.name === schema ? renameIn(one, renaming, nameOf) : one),
    ),
    entities: selection.entities.map((one) =>
      usesIt(one.entity.definition) ? { ...one, entity: renameInEntity(one.entity, nameOf) } : one,
    ),
    policies: selection.policies.map((policy) => renameInPolicy(policy, renamed, nameOf)),
    webhooks: selection.webhooks.map((webhook) => renameInWebhook(webhook, renamed, nameOf)),
  }
}

type NameOf = (field: string) => string

function renameIn(
  definition: SchemaDefinition,
  { from, to, label }: FieldRenaming,
  nameOf: NameOf,
): SchemaDefinition {
  const { unique } = definition
  const properties = definition.properties.map((property): Property => {
    const former = formerNames(property, from, to)
    const { renamedFrom: _, rules, ...rest } = property
    const isIt = property.name === from
    return {
      ...rest,
      name: nameOf(property.name),
      ...(isIt && label !== undefined ? { label } : {}),
      ...(former.length > 0 ? { renamedFrom: former } : {}),
      rules: renameInRules(rules, nameOf),
    }
  })
  const rules = unique?.map((rule) => ({ ...rule, fields: rule.fields.map(nameOf) }))
  return { ...definition, properties, ...(rules ? { unique: rules } : {}) }
}

/** The new name is no former name of any field; the present one becomes one of the field. */
function formerNames({ name, renamedFrom = [] }: Property, from: string, to: string): string[] {
  const others = renamedFrom.filter((former) => former !== to && former !== from)
  return name === from && from !== to ? [from, ...others] : others
}

function renameInRules(rules: Property['rules'], nameOf: NameOf): Property['rules'] {
  const { computed, reference } = rules
  const { with: further } = reference ?? {}
  return {
    ...rules,
    ...(computed ? { computed: renamedExpression(computed, nameOf) } : {}),
    ...(reference && further
      ? { reference: { ...reference, with: ownNames(further, nameOf) } }
      : {}),
  }
}

const ownNames = (further: Record<string, string>, nameOf: NameOf) =>
  Object.fromEntries(Object.entries(further).map(([own, name]) => [nameOf(own), name]))

/** References to the entities whose field has a new name. */
function followReferences(
  definition: SchemaDefinition,
  renamed: ReadonlySet<string>,
  nameOf: NameOf,
): SchemaDefinition {
  const properties = definition.properties.map((property) => {
    const { reference } = property.rules
    if (!reference || !renamed.has(reference.entity)) return property
    return { ...property, rules: { ...property.rules, reference: follow(reference, nameOf) } }
  })
  return { ...definition, properties }
}

function follow(reference: FieldReference, nameOf: NameOf): FieldReference {
  const { field, with: further } = reference
  const names = Object.entries(further ?? {}).map(([own, name]) => [own, nameOf(name)])
  return {
    ...reference,
    field: nameOf(field),
    ...(further ? { with: Object.fromEntries(names) } : {}),
  }
}

function renameInEntity(entity: Entity, nameOf: NameOf): Entity {
  const properties = entity.properties.map((one) => ({ ...one, name: nameOf(one.name) }))
  const definition = renameInDefinition(entity.definition, nameOf)
  return { ...entity, definition, properties, keys: entity.keys.map(nameOf) }
}

function renameInDefinition(definition: EntityDefinition, nameOf: NameOf): EntityDefinition {
  const { keys, indexes, display, distribution } = definition
  const isBy = typeof distribution === 'object'
  return {
    ...definition,
    keys: keys.map(({ renamedFrom = [], ...one }) => {
      const key = nameOf(one.key)
      const former = (key === one.key ? renamedFrom : [one.key, ...renamedFrom]).filter(
        (name) => name !== key,
      )
      return { ...one, key, ...(former.length > 0 ? { renamedFrom: former } : {}) }
    }),
    indexes: indexes.map((index) => ({ ...index, fields: index.fields.map(nameOf) })),
    ...(display ? { display: mapDisplay(display, nameOf) } : {}),
    ...(isBy ? { distribution: { ...distribution, by: nameOf(distribution.by) } } : {}),
  }
}

/** Those about the renamed entities alone: in others the name may be that of another entity's field. */
function renameInPolicy(
  policy: PolicyDefinition,
  renamed: ReadonlySet<string>,
  nameOf: NameOf,
): PolicyDefinition {
  const names = new Set([...renamed].map((name) => name.toLowerCase()))
  const isAboutThem = policy.entities.every((name) => names.has(name.toLowerCase()))
  return isAboutThem ? renamedPolicy(policy, nameOf) : policy
}

function renameInWebhook(
  webhook: WebhookDefinition,
  renamed: ReadonlySet<string>,
  nameOf: NameOf,
): WebhookDefinition {
  if (!webhook.entities.every((name) => renamed.has(name))) return webhook
  const { where, fields } = webhook
  return {
    ...webhook,
    ...(where ? { where: renamedConditions(where, nameOf) as Json[] } : {}),
    ...(fields ? { fields: fields.map(nameOf) } : {}),
  }
}
