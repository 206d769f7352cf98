import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { foreignKeys } from '@/lib/testing/define'
import { recordsOf } from '../../testing/records'
import { deps, installed, text } from '../../testing/versions'

describe('a renamed key', () => {
  const keyed = (key: string, renamedFrom?: string, declared = true) =>
    pluginFiles({
      EngineEntities: {
        files: {
          'Country.json': {
            name: 'Country',
            pks: [{ key, strategy: 'Fixed', type: 'string', ...(declared ? {} : { renamedFrom }) }],
          },
          'City.json': {
            name: 'City',
            pks: [{ key: 'id', strategy: 'AutoIncrement', type: 'string' }],
          },
        },
      },
      EngineSchemas: {
        files: {
          'Country.json': {
            name: 'Country',
            properties: [
              ...(declared ? [{ name: key, type: 'string', renamedFrom }] : []),
              text('label'),
            ],
          },
          'City.json': {
            name: 'City',
            properties: [
              { name: 'country', type: 'string', reference: { entity: 'Country', field: key } },
            ],
          },
        },
      },
      Country: { files: { 'data.json': renamedFrom ? [] : [{ [key]: 'CH' }] } },
      City: { files: { 'data.json': renamedFrom ? [] : [{ country: 'CH' }, {}] } },
    })

  test.each([true, false])(
    'keeps its records and the references to it (declared: %s)',
    async (declared) => {
      await installed(keyed('code', undefined, declared))
      const logs = await installed(keyed('iso', 'code', declared))
      expect(logs.flatMap(({ changes }) => changes).join('\n')).not.toMatch(/not enforced/)
      expect(await foreignKeys(deps)).toEqual(['city.country → country.iso'])
      const { body } = await recordsOf(deps, 'Country').read('CH')
      expect(body.data).toMatchObject([{ iso: 'CH' }])
      const refused = await recordsOf(deps, 'City').create({ country: 'XX' })
      expect(refused.status).toBe(400)
      expect((await recordsOf(deps, 'City').create({ country: 'CH' })).status).toBe(201)
    },
  )
})
