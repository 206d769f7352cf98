import { pathsOf } from '../conditions'
import { OF_VIEW } from '../stage'
import { knownPaths, readableEntity, type Story } from '../story'
import { textToken } from '../world'

/** Views of others, and one's own. */
export const views: Story = async function* (scene) {
  const { model, random } = scene
  const entity = random.chance(60) ? 'Order' : readableEntity(scene).name
  // Who knows the field may know what its publisher looks for.
  const names = model.names('Order')
  const isKnown = names.has('orderSecret') && names.has('orderAmount')
  const isSeen = isKnown || model.rule('Order', 'read').access === 'unclear'
  if (isSeen) scene.derived.add(textToken(OF_VIEW))
  const list = yield { method: 'GET', path: `/api/views?entity=${entity}` }
  if (list.status >= 500) scene.fault(`status ${list.status}`)
  const { access } = model.rule(entity, 'read')
  if (access === 'no' && list.status === 200 && list.body.data.length > 0)
    scene.fault('views of an entity that may not be read')
}

export const ownViews: Story = async function* (scene) {
  const { model, random } = scene
  const entity = readableEntity(scene)
  const paths = random.chance(70) ? knownPaths(model, entity) : pathsOf(entity)
  if (paths.length === 0) return
  const params = `sort=${random.pick(paths).name}:asc`
  const name = `View ${random.below(1_000_000)}`
  const body = { entity: entity.name, name, params }
  const made = yield { method: 'POST', path: '/api/views', body }
  if (made.status >= 500) scene.fault(`status ${made.status}`)
  if (made.status !== 201) return
  const path = `/api/views/${made.body.data[0].id}`
  yield { method: 'PATCH', path, body: { params: `sort=${random.pick(paths).name}:desc` } }
  yield { method: 'DELETE', path }
}
