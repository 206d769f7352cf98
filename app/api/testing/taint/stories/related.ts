import type { JsonObject } from '@/lib/values/json'
import type { Condition } from '../actor'
import { select } from '../conditions'
import { randomConditions } from '../random-conditions'
import { knownPaths, readableEntity, type Scene, type Story } from '../story'
import { idOf, WORLD, type WorldEntity } from '../world'
import { isComparable } from './reads'
import { sameRecords } from './searching'

/** The records of an entity that refer to one, and the field by which they do. */
type Related = { name: string; entity: WorldEntity; field: string }

function relatedTo({ name: target }: WorldEntity): Related[] {
  return WORLD.flatMap((entity) =>
    entity.fields
      .filter(({ refersTo }) => refersTo === target)
      .map(({ name: field }) => {
        const name = `${entity.name}By${field.charAt(0).toUpperCase()}${field.slice(1)}`
        return { name, entity, field }
      }),
  )
}

const QUANTIFIERS = ['some', 'none', 'every'] as const

/** Lists, numbers and conditions of the records that refer to one. */
export const relatedRecords: Story = async function* (scene) {
  const { random, model, state } = scene
  const entity = readableEntity(scene)
  const known = relatedTo(entity)
  if (known.length === 0) return
  const related = random.pick(known)
  const { name, entity: other, field } = related
  const statuses = statusesOf(scene, entity, related)
  const paths = knownPaths(model, other, 1)
  const query = randomConditions(random, other, { paths, rows: state.rows })
  const quantifier = random.pick(QUANTIFIERS)
  const isAsked = query.length > 0 && random.chance(50)
  const answer = yield {
    method: 'POST',
    path: `/api/entities/${entity.name}/search`,
    body: {
      query: isAsked ? [{ field: name, operator: quantifier, filters: query }] : [],
      fields: [...entity.keys, `${name}.$count`],
      expand: [{ relation: name, query, limit: 1000 }],
      pagination: { size: 10 },
    },
  }
  // Those on the nodes of a cluster are not related to others.
  if (answer.status === 400 && answer.text.includes('nodes of a cluster')) return
  if (!isComparable(scene, answer, statuses)) return
  const [key = ''] = entity.keys
  const all = (row: JsonObject) => model.view(other.name).filter((one) => one[field] === row[key])
  const meeting = (row: JsonObject) => matching(scene, other, all(row), query)
  const holds = (row: JsonObject) => {
    const count = meeting(row).length
    if (quantifier === 'every') return count === all(row).length
    return count > 0 === (quantifier === 'some')
  }
  const found = matching(scene, entity, model.view(entity.name), [])
  const expected = found
    .filter((row) => !isAsked || holds(row))
    .slice(0, 10)
    .map((row) => ({
      ...Object.fromEntries(entity.keys.map((one) => [one, row[one] ?? null])),
      [`${name}.$count`]: all(row).length,
      [name]: meeting(row).map((one) => ({ ...one, persistenceId: idOf(other, one) })),
    }))
  if (!sameRecords(answer.body.data, expected))
    scene.fault(`related records differ: ${JSON.stringify([answer.body.data, expected])}`)
}

const matching = (
  { model }: Scene,
  entity: WorldEntity,
  rows: JsonObject[],
  conditions: Condition[],
): JsonObject[] => select(entity, rows, { conditions, sort: [] }, model.findShown)

/** A relation that the caller may not follow is as unknown as any other name. */
function statusesOf({ model }: Scene, entity: WorldEntity, related: Related): number[] | null {
  const [own, other] = [entity.name, related.entity.name].map((one) => model.rule(one, 'read'))
  if (own?.access === 'no') return [403]
  if (own?.access === 'unclear' || other?.access === 'unclear') return null
  const isKnown = other?.access === 'yes' && model.names(related.entity.name).has(related.field)
  return [isKnown ? 200 : 400]
}
