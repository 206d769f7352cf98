import { knownPaths, readableEntity, type Scene, type Story } from '../story'
import { WORLD } from '../world'
import { isComparable } from './reads'

const sorted = (names: Iterable<string>) => [...new Set(names)].sort().join()

export const columns: Story = async function* (scene) {
  const { model } = scene
  const entity = readableEntity(scene)
  const answer = yield { method: 'GET', path: `/api/entities/${entity.name}/columns` }
  const { access } = model.rule(entity.name, 'read')
  const statuses = access === 'unclear' ? null : [access === 'yes' ? 200 : 403]
  if (!isComparable(scene, answer, statuses)) return
  const received = sorted(answer.body.data.map(({ name }: { name: string }) => name))
  const expected = sorted(knownPaths(model, entity, 0).map(({ name }) => name.split('.')[0] ?? ''))
  if (received !== expected) scene.fault(`columns ${received} instead of ${expected}`)
  const referring = WORLD.flatMap(({ name, fields }) =>
    fields.flatMap((field) =>
      field.refersTo === entity.name && model.names(name).has(field.name)
        ? [`${name}.${field.name}`]
        : [],
    ),
  )
  type Referring = { entity: string; field: string }
  const told = answer.body.meta.referencedBy.map((one: Referring) => `${one.entity}.${one.field}`)
  if (sorted(told) !== sorted(referring) && isClear(scene))
    scene.fault(`referring fields ${sorted(told)} instead of ${sorted(referring)}`)
}

const isClear = ({ model }: Scene) =>
  WORLD.every(({ name }) => model.rule(name, 'read').access !== 'unclear')

export const entities: Story = async function* (scene) {
  const { model, random } = scene
  const counts = random.chance(60)
  const answer = yield { method: 'GET', path: `/api/entities?counts=${counts}` }
  if (!isComparable(scene, answer, [200])) return
  type Summary = { name: string; fields: { name: string }[]; records?: { value: number } }
  const found = (answer.body.data as Summary[]).filter(({ name }) =>
    WORLD.some((entity) => entity.name === name),
  )
  const readable = WORLD.filter(({ name }) => model.rule(name, 'read').access === 'yes')
  const names = sorted(found.map(({ name }) => name))
  if (isClear(scene) && names !== sorted(readable.map(({ name }) => name)))
    scene.fault(`lists ${names}`)
  for (const { name, records } of found) {
    const expected = model.view(name).length
    if (records && records.value !== expected)
      scene.fault(`${records.value} records of ${name} instead of ${expected}`)
  }
}

export const openApi: Story = async function* (scene) {
  const answer = yield { method: 'GET', path: '/api/openapi.json' }
  if (answer.status !== 200) scene.fault(`status ${answer.status}`)
}

export const types: Story = async function* (scene) {
  const answer = yield { method: 'GET', path: '/api/types.d.ts' }
  if (answer.status !== 200) scene.fault(`status ${answer.status}`)
}
