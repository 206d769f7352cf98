import type { Entity } from '@/lib/definitions/definition'
import type { Json, JsonObject } from '@/lib/values/json'
import { compareStates, type FieldChange } from './compare-states'
import { type State, settable, stateOf } from './state'

/** What gives a record the values of a version. */
export type RestorationPlan = {
  /** The fields to set; of a deleted record all, with its key. */
  record: JsonObject
  /** From the present state to that of the version; what the server itself notes is left out. */
  changes: FieldChange[]
}

/** `present`: the row in JSON text; null for a deleted record. */
export function planRestoration(
  entity: Entity,
  state: State,
  present: string | null,
): RestorationPlan {
  const isSet = settableIn(entity)
  const values = [...state.fields].filter(([name]) => isSet(name))
  if (present === null) {
    const keys = entity.keys.map((key): [string, Json] => [key, state.fields.get(key) ?? null])
    const record = Object.fromEntries([...keys, ...values])
    return { record, changes: compareStates(null, asState(record)) }
  }
  const now = [...stateOf(entity, present).fields].filter(([name]) => isSet(name))
  const unknown = unknownTo(entity, state)
  const emptied = now.filter(([name]) => !state.fields.has(name) && !unknown(name))
  const kept = now.filter(([name]) => !state.fields.has(name) && unknown(name))
  return {
    record: Object.fromEntries([
      ...emptied.map(([name]): [string, Json] => [name, null]),
      ...values,
    ]),
    changes: compareStates(
      asState(Object.fromEntries(now)),
      asState(Object.fromEntries([...values, ...kept])),
    ),
  }
}

const asState = (record: JsonObject): Pick<State, 'fields'> => ({
  fields: new Map(Object.entries(record)),
})

function settableIn(entity: Entity): (name: string) => boolean {
  const declared = new Map(entity.properties.map((property) => [property.name, property]))
  return (name) => {
    const property = declared.get(name)
    return property ? settable(entity, property) : true
  }
}

/** Fields that were declared since then, which keep their values. */
const unknownTo = (entity: Entity, { columns }: State) => {
  const declared = new Set(entity.properties.map(({ name }) => name))
  return (name: string) => declared.has(name) && !columns.has(name)
}
