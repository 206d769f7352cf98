import type { JsonObject } from '@/lib/values/json'
import { knownPaths, readableEntity, type Scene, type Story } from '../story'
import { entityOf, idOf, type WorldEntity } from '../world'
import { isComparable } from './reads'
import { randomSearch, sameRecords, servedAs, statusOf } from './searching'

/** The id of a record, whoever may see it; rarely of none. */
export function someRecord({ random, state }: Scene, entity: WorldEntity) {
  const kept = [...state.trash, ...state.versions].filter((one) => one.entity === entity.name)
  const from = kept.length > 0 && random.chance(12) ? kept.map(({ record }) => record) : []
  const rows = from.length > 0 ? from : (state.rows[entity.name] ?? [])
  const row = rows.length > 0 ? random.pick(rows) : {}
  const id = random.chance(5) ? '999' : idOf(entity, row)
  return { id, row: state.rows[entity.name]?.find((one) => idOf(entity, one) === id) }
}

export const pathTo = (entity: WorldEntity, id: string, rest = '') =>
  `/api/entities/${entity.name}/${encodeURIComponent(id)}${rest}`

export const readRecord: Story = async function* (scene) {
  const search = { ...randomSearch(scene), query: [], sort: [] }
  const { entity, fields, expand } = search
  const { id, row } = someRecord(scene, entity)
  const parameters = new URLSearchParams()
  if (fields.length > 0) parameters.set('fields', fields.join(','))
  if (expand.length > 0) parameters.set('expand', expand.join(','))
  const answer = yield { method: 'GET', path: pathTo(entity, id, `?${parameters}`) }
  const shown = row && scene.model.shown(entity, row)
  const statuses = statusOf(scene, search)
  const right = statuses?.includes(200) ? (shown ? [200] : [404]) : statuses
  const isUnreached = statuses && !statuses.includes(200) && !shown
  if (!isComparable(scene, answer, isUnreached ? [...statuses, 404] : right)) return
  if (!shown) return
  const expected = servedAs(scene, search, shown) as JsonObject
  if (!sameRecords(answer.body.data, [expected]))
    scene.fault(`the record differs: expected ${JSON.stringify(expected)}`)
}

/** The answer about a hidden record is that about one which does not exist. */
export const absentRecord: Story = async function* (scene) {
  const { model, random, state } = scene
  const entity = readableEntity(scene)
  if (model.rule(entity.name, 'read').access !== 'yes') return
  const hidden = (state.rows[entity.name] ?? []).filter((row) => !model.shown(entity, row))
  if (hidden.length === 0) return
  const id = idOf(entity, random.pick(hidden))
  const other = entity.keys.length > 1 ? otherComposite(entity, id) : `${id}1`
  const rest = random.pick([
    '',
    '/history',
    '/comments',
    '?fields=persistenceId',
    `?fields=${entity.keys[0]}`,
  ])
  const one = yield { method: 'GET', path: pathTo(entity, id, rest) }
  const none = yield { method: 'GET', path: pathTo(entity, other, rest) }
  const isSame = one.status === none.status && said(one.text, id) === said(none.text, other)
  if (!isSame) scene.fault(`a hidden record is told from none: ${one.text} ${none.text}`)
}

function otherComposite(entity: WorldEntity, id: string): string {
  const parts = JSON.parse(Buffer.from(id, 'base64url').toString()) as JsonObject
  return idOf(entity, { ...parts, stockSku: 'zq99999x' })
}

/** What differs between any two answers is left out. */
const said = (text: string, id: string) =>
  text.replaceAll(`\\"${id}\\"`, '…').replace(/"timestamp":\d+|"requestId":"[^"]*"/g, '')

export const history: Story = async function* (scene) {
  const { model, random } = scene
  const entity = readableEntity(scene)
  const { id, row } = someRecord(scene, entity)
  const size = random.pick([2, 10, 50])
  const list = yield { method: 'GET', path: pathTo(entity, id, `/history?size=${size}`) }
  const { access } = model.rule(entity.name, 'read')
  if (list.status >= 500) scene.fault(`status ${list.status}`)
  if (access === 'no' && list.status !== 403) scene.fault(`status ${list.status} instead of 403`)
  const isHidden = access === 'yes' && row && !model.shown(entity, row)
  if (isHidden && list.status !== 404) scene.fault(`status ${list.status} instead of 404`)
  if (list.status !== 200) return
  const versions = (list.body.data as JsonObject[]).filter(({ restorable }) => restorable)
  if (versions.length === 0 || random.chance(50)) return
  const path = pathTo(entity, id, `/history/${random.pick(versions).version}/restore`)
  yield { method: 'POST', path: `${path}?dryRun=true` }
  yield { method: 'POST', path }
}

/** All that has happened to the records of an entity, not only what the caller saw of it then. */
export const changes: Story = async function* (scene) {
  const { model, random } = scene
  const entity = random.chance(80) ? entityOf('Order') : readableEntity(scene)
  const isOne = random.chance(50)
  const path = isOne
    ? `/api/entities/${entity.name}/changes?`
    : `/api/changes?entities=Order,${entity.name}&`
  const now = yield { method: 'GET', path }
  const asked = isOne ? [entity.name] : ['Order', entity.name]
  const isDenied = asked.some((name) => model.rule(name, 'read').access === 'no')
  if (now.status >= 500) scene.fault(`status ${now.status}`)
  if (isDenied && now.status !== 403) scene.fault(`status ${now.status} instead of 403`)
  if (now.status !== 200) return
  const [log] = Buffer.from(now.body.meta.cursor, 'base64url').toString().split('.')
  const since = Buffer.from(`${log}.0.0`).toString('base64url')
  const rest = `limit=${random.pick([2, 50, 1000])}&many=${random.pick(['count', 'records'])}`
  const all = yield { method: 'GET', path: `${path}since=${since}&${rest}` }
  if (all.status !== 200) return scene.fault(`status ${all.status}`)
  for (const { action, before, after, key } of all.body.data as JsonObject[])
    if (action !== 'many' && before === null && after === null)
      scene.fault(`a change of ${key} that shows nothing`)
}

/** One of the texts that `term` looks for: of anybody's. */
export const findRecords: Story = async function* (scene) {
  const { model, random, state } = scene
  const entity = readableEntity(scene)
  const texts = (state.rows[entity.name] ?? []).flatMap((row) =>
    Object.values(row).filter((value) => typeof value === 'string'),
  )
  const term = texts.length > 0 && !random.chance(20) ? random.pick(texts) : 'zq'
  const from = random.below(2)
  const asked = random.chance(50) ? term : term.slice(from, from + 6)
  const prefix = random.chance(30) ? `${entity.name}: ` : ''
  const path = `/api/records?term=${encodeURIComponent(prefix + asked)}`
  const answer = yield { method: 'GET', path }
  if (answer.status !== 200) return scene.fault(`status ${answer.status}`)
  for (const { entity: name, persistenceId } of answer.body.data) {
    const isSeen = model.view(name).some((row) => idOf(entityOf(name), row) === persistenceId)
    if (!isSeen) scene.fault(`found the hidden record ${name}/${persistenceId}`)
  }
  const known = new Set(knownPaths(model, entity, 0).map(({ name }) => name))
  const key = entity.keys.length === 1 ? (entity.keys[0] ?? '') : ''
  const isKey = model.view(entity.name).some((row) => row[key] === asked)
  if (isKey && known.has(key) && prefix && answer.body.data.length === 0)
    scene.fault('did not find a record by its key')
}

/** Comments, and what is answered about those of a record that the caller does not see. */
export const comments: Story = async function* (scene) {
  const { model } = scene
  const entity = readableEntity(scene)
  const { id, row } = someRecord(scene, entity)
  const path = pathTo(entity, id, '/comments')
  const made = yield { method: 'POST', path, body: { text: 'zq @zq@example.com' } }
  const list = yield { method: 'GET', path }
  const { access } = model.rule(entity.name, 'read')
  const isHidden = access === 'yes' && !(row && model.shown(entity, row))
  for (const { status } of [made, list]) {
    if (status >= 500) scene.fault(`status ${status}`)
    if (access === 'no' && status !== 403) scene.fault(`status ${status} instead of 403`)
    if (isHidden && status !== 404) scene.fault(`status ${status} instead of 404`)
  }
  if (made.status !== 201) return
  const own = `${path}/${made.body.data[0].id}`
  yield { method: 'PATCH', path: own, body: { text: 'zq' } }
  yield { method: 'DELETE', path: own }
}
