import { knownPaths, readableEntity, type Story } from '../story'

/** Somebody who may manage webhooks names fields, and looks at what is said of deliveries. Nothing is sent. */
export const webhooks: Story = async function* (scene) {
  const { model, random } = scene
  const entity = readableEntity(scene)
  const field = random.pick(entity.fields).name
  const body = {
    ...{
      name: `w${random.below(1_000_000_000)}`,
      url: 'https://1.1.1.1/',
      entities: [entity.name],
    },
    ...{ where: [{ field, operator: 'notnull' }], enabled: false },
  }
  const list = yield { method: 'GET', path: '/api/webhooks' }
  const made = yield { method: 'POST', path: '/api/webhooks', body }
  if (list.status >= 500 || made.status >= 500) scene.fault(`status ${made.status}`)
  if (made.status !== 201) return
  const isKnown = knownPaths(model, entity, 0).some(({ name }) => name === field)
  if (!isKnown) scene.fault(`a webhook compares the hidden field ${field}`)
  const path = `/api/webhooks/${made.body.data[0].id}`
  yield { method: 'PATCH', path, body: { fields: [field] } }
  yield { method: 'GET', path }
  yield { method: 'GET', path: `${path}/deliveries?entity=${entity.name}&key=1` }
  const id = '00000000-0000-4000-8000-0000000000ff'
  yield { method: 'POST', path: `${path}/deliveries/${id}/redeliver` }
  yield { method: 'POST', path: `${path}/redeliver`, body: {} }
  yield { method: 'POST', path: `${path}/rotate-secret` }
  yield { method: 'DELETE', path }
}
