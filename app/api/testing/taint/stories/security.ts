import { randomPolicies } from '../random-policies'
import { readableEntity, type Story, tellSecurity } from '../story'
import { idOf } from '../world'
import { someRecord } from './records'

const NONE = '00000000-0000-4000-8000-0000000000ff'

/** Of those who manage users: what others may do, and why. */
export const rights: Story = async function* (scene) {
  const { random, actor } = scene
  const entity = readableEntity(scene)
  const { id, row } = someRecord(scene, entity)
  const of = `entity=${entity.name}&action=${random.pick(['read', 'update', 'delete'])}`
  const record = `id=${encodeURIComponent(row ? idOf(entity, row) : id)}`
  const path = random.pick([
    '/api/rights',
    `/api/rights?${of}&role=Clerk`,
    `/api/rights?${of}&user=${actor.userId}&${record}`,
    `/api/rights?${of}&role=Buyer&${record}&field=${random.pick(entity.fields).name}`,
    '/api/roles',
    '/api/roles/Clerk',
    `/api/users/${actor.userId}/rights`,
  ])
  tellSecurity(scene)
  const answer = yield { method: 'GET', path }
  if (answer.status >= 500) scene.fault(`status ${answer.status}`)
}

/** Of those who manage security; none of it changes anything. */
export const security: Story = async function* (scene) {
  const { random, actor } = scene
  const [method, path] = random.pick([
    ['GET', '/api/policies'],
    ['GET', `/api/policies/${NONE}`],
    ['PATCH', `/api/policies/${NONE}`],
    ['DELETE', `/api/policies/${NONE}`],
    ['POST', '/api/policies'],
    ['POST', '/api/roles'],
    ['PATCH', '/api/roles/Nobody'],
    ['DELETE', '/api/roles/Nobody'],
  ] as const)
  tellSecurity(scene)
  const answer = yield { method, path, ...(method === 'GET' ? {} : { body: { name: '' } }) }
  if (answer.status >= 500) scene.fault(`status ${answer.status}`)
  const isOpen = actor.roles.includes('ADMIN')
  if (!isOpen && answer.status < 300) scene.fault('security is open')
}

/** The sample of a policy that is not made yet. */
export const previewPolicy: Story = async function* (scene) {
  const { random, state, actor } = scene
  const [policy] = randomPolicies(random, state.rows)
  const { where, fields, allow, entities: [name = ''] = [] } = policy ?? {}
  const entity = name === '*' ? 'Order' : name
  const as = random.chance(50) ? { as: { user: actor.userId } } : {}
  const body = { entity, action: 'read', policy: { where, fields, allow }, ...as }
  const answer = yield { method: 'POST', path: '/api/policies/preview', body }
  if (answer.status >= 500) scene.fault(`status ${answer.status}: ${answer.text.slice(0, 300)}`)
}
