import { describe, expect, test } from 'vitest'
import { placementOf } from '@/lib/db/cluster'
import { loadEntities } from '@/lib/registry/registry'
import { defineTestEntity, defineTestSchema, foreignKeys } from '@/lib/testing/define'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { describeStep } from './describe-step'

const deps = freshDeps()

const CUSTOMER = { name: 'Customer', distribution: { by: 'id' } }
const KEYS = [
  { key: 'customerId', strategy: 'Fixed', type: 'number' },
  { key: 'id', strategy: 'AutoIncrement' },
]
const ORDER = { name: 'Order', pks: KEYS, distribution: { by: 'customerId', with: 'Customer' } }
const refersTo = (entity: string, field = 'id') => ({ reference: { entity, field } })
const ORDERED = {
  name: 'Order',
  properties: [
    { name: 'customerId', type: 'bigint', meta: refersTo('Customer') },
    { name: 'product', type: 'bigint', meta: refersTo('Product') },
  ],
}

const placed = async (name: string) =>
  (await placementOf(deps.db, { schema: 'entities', name }))?.type
const define = async (entity: object) =>
  (await defineTestEntity(deps, entity)).steps.map(describeStep)

describe('the distribution of a definition', () => {
  test('that is not a key is refused, with what to do', async () => {
    await expect(define({ ...ORDER, distribution: { by: 'town' } })).rejects.toThrow(
      'distribute by customerId or id, or make town a key too',
    )
  })

  test('stays when a later definition says nothing of it', async () => {
    await define({ name: 'Customer', distribution: 'local' })
    await define({ name: 'Customer', description: 'Who buys' })
    const { distribution } = (await installTestEntity(deps, { entity: { name: 'Customer' } }))
      .definition
    expect(distribution).toBe('local')
  })

  test('follows the names of its key and of the entity that records are kept with', async () => {
    const [first, ...others] = KEYS
    await define({ ...CUSTOMER, pks: [{ ...first, key: 'id' }] })
    await define(ORDER)
    await define({ name: 'Client', renamedFrom: 'Customer', pks: [{ ...first, key: 'id' }] })
    const key = { ...first, key: 'client', renamedFrom: 'customerId' }
    await define({ name: 'Order', pks: [key, ...others] })
    const { definition } = (await loadEntities(deps.db)).find(({ name }) => name === 'Order') ?? {}
    expect(definition?.distribution).toEqual({ by: 'client', with: 'Client' })
  })

  test.runIf(!testsOnCitus())('changes nothing without a cluster', async () => {
    const steps = await define({ ...CUSTOMER })
    expect(steps).toEqual(await define({ name: 'Client' }).then(renamed))
    expect(await installed('Customer')).toEqual({ by: 'id' })
  })
})

const renamed = (steps: string[]) =>
  steps.map((step) => step.replace('entities.client', 'entities.customer'))
const installed = async (name: string) =>
  (await installTestEntity(deps, { entity: { name } })).definition.distribution

describe.runIf(testsOnCitus())('on a cluster', () => {
  test('records are kept together, and what they refer to on every node', async () => {
    await define({ name: 'Product', distribution: 'reference' })
    expect(await define(CUSTOMER)).toContain('Distribute Customer by id over 2 shards')
    await defineTestSchema(deps, ORDERED)
    expect(await define(ORDER)).toContain(
      'Distribute Order by customerId over 2 shards, together with Customer',
    )
    const [order, customer] = await Promise.all(
      ['order', 'customer'].map((name) => placementOf(deps.db, { schema: 'entities', name })),
    )
    expect(order).toMatchObject({ type: 'distributed', by: 'customerId', shards: 2 })
    expect(order).toHaveProperty('colocation', (customer as { colocation: number }).colocation)
    expect(await placed('product')).toBe('reference')
    expect(await foreignKeys(deps)).toEqual([
      'order.customerId → customer.id',
      'order.product → product.id',
    ])
  })

  test('a small entity becomes a reference table when distributed records refer to it', async () => {
    await define({ name: 'Product' })
    await define(CUSTOMER)
    await defineTestSchema(deps, ORDERED)
    expect(await define(ORDER)).toContain('Copy Product to every node, as a reference table')
    expect(await placed('product')).toBe('reference')
  })

  test.each([
    [{ ...CUSTOMER, unique: [{ fields: ['email'] }] }, 'email are unique together'],
    [{ ...ORDER, distribution: { by: 'customerId', with: 'Nobody' } }, 'which is not distributed'],
  ])('%j is refused before anything is done', async (entity, reason) => {
    await defineTestSchema(deps, {
      name: 'Customer',
      properties: [{ name: 'email', type: 'text' }],
    })
    await expect(define(entity)).rejects.toThrow(reason)
    expect(await placed(entity.name.toLowerCase())).toBeUndefined()
  })

  test('a reference that no node can check is refused, with what to do', async () => {
    await define({ name: 'Product', distribution: 'local' })
    await define(CUSTOMER)
    await defineTestSchema(deps, ORDERED)
    await expect(define(ORDER)).rejects.toThrow(
      'product of Order refers to Product, which is local: make it a reference table',
    )
  })

  test('what is kept together stays so when a key gets another type', async () => {
    const schema = (type: string) => ({
      name: 'Customer',
      properties: [{ name: 'id', type }],
    })
    await defineTestSchema(deps, schema('bigint'))
    await define(CUSTOMER)
    await defineTestSchema(deps, { ...ORDERED, properties: ORDERED.properties.slice(0, 1) })
    await define(ORDER)
    await defineTestSchema(deps, schema('decimal'))
    const [order, customer] = await Promise.all(
      ['order', 'customer'].map((name) => placementOf(deps.db, { schema: 'entities', name })),
    )
    expect(order).toMatchObject({ type: 'distributed', by: 'customerId' })
    expect(order).toHaveProperty('colocation', (customer as { colocation: number }).colocation)
    expect(await foreignKeys(deps)).toEqual(['order.customerId → customer.id'])
  })

  test('a new version moves the records and keeps them, with their counter', async () => {
    await installTestEntity(deps, { entity: { name: 'Customer', distribution: 'local' } }, [{}, {}])
    for (const distribution of [{ by: 'id' }, 'reference', 'local', { by: 'id' }]) {
      const words = await define({ name: 'Customer', distribution })
      expect(words).toHaveLength(1)
      const entity = { name: 'Customer' }
      await installTestEntity(deps, { entity }, [{}])
    }
    const { rows } = (await deps.db.execute(
      'select array_agg(id order by id)::text as ids from entities.customer',
    )) as unknown as { rows: unknown[] }
    expect(rows).toEqual([{ ids: '{1,2,3,4,5,6}' }])
    expect(await placed('customer')).toBe('distributed')
  })
})
