import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { foreignKeys, tableColumns } from '@/lib/testing/define'
import { recordsOf } from './records'
import { deps, installed } from './versions'

type Key = { type?: string; strategy?: string; pk?: 'number' | 'string' }

const UNDECLARED: Record<string, string> = {
  'AutoIncrement number': 'bigint',
  'Fixed number': 'decimal',
}

/** An entity whose key has the given type, with a record; null: the key is not declared in the schema. */
export const owner = (
  { type, strategy = 'AutoIncrement', pk = 'number' }: Key,
  data: object[] = [],
) => ({
  EngineEntities: {
    files: { 'Owner.json': { name: 'Owner', pks: [{ key: 'id', strategy, type: pk }] } },
  },
  EngineSchemas: {
    files: {
      'Owner.json': {
        name: 'Owner',
        properties: [
          ...(type ? [{ name: 'id', type }] : []),
          { name: 'label', type: 'string' },
          {
            name: 'parent',
            type: type ?? UNDECLARED[`${strategy} ${pk}`] ?? 'string',
            reference: { entity: 'Owner', field: 'id' },
          },
        ],
      },
    },
  },
  Owner: { files: { 'data.json': data } },
})

export const pet = (type: string, data: object[] = []) =>
  pluginFiles(
    {
      EngineEntities: { files: { 'Pet.json': { name: 'Pet' } } },
      EngineSchemas: {
        files: {
          'Pet.json': {
            name: 'Pet',
            properties: [
              { name: 'owner', type, required: true, reference: { entity: 'Owner', field: 'id' } },
            ],
          },
        },
      },
      Pet: { files: { 'data.json': data } },
    },
    { id: 'com.example.pets' },
  )

type WiderKey = [what: string, from: Key, to: Key, column: string, id: unknown]

/** A test of each case: it says what a key widens from and to, its column then and its value. */
export const testWiderKeys = (cases: WiderKey[]) =>
  test.each(cases)(
    'from %s takes its data and the references to it along',
    async (_, from, to, column, id) => {
      const input =
        from.strategy === 'Fixed' ? [{ id: 1 }, { id: 2, parent: 1 }] : [{}, { parent: 1 }]
      await installed(pluginFiles(owner(from, input)))
      await installed(
        pet(from.type ?? (from.strategy === 'Fixed' ? 'decimal' : 'bigint'), [{ owner: 1 }]),
      )
      const before = await foreignKeys(deps)
      const logs = await installed(pluginFiles(owner(to)))
      expect(logs.flatMap(({ changes }) => changes).join('\n')).not.toMatch(
        /not enforced|is no longer/,
      )
      expect(await foreignKeys(deps)).toEqual(before)
      expect(before).toEqual(['owner.parent → owner.id', 'pet.owner → owner.id'])
      expect((await tableColumns(deps, 'owner')).id).toBe(column)
      const { body } = await recordsOf(deps, 'Pet').read(1)
      expect(body.data).toMatchObject([{ owner: id }])
      expect(
        (await recordsOf(deps, 'Pet').create({ owner: typeof id === 'string' ? '77' : 77 })).status,
      ).toBe(400)
      expect((await recordsOf(deps, 'Owner').remove(1)).status).toBe(409)
      if (to.strategy !== 'Fixed') {
        const made = await recordsOf(deps, 'Owner').create({ parent: id })
        expect(made.status).toBe(201)
        if (to.strategy !== 'UUID') expect(String(made.body.data[0].id)).toBe('3')
      }
      const again = await installed(pluginFiles(owner(to)))
      expect(new Set(again.map(({ status }) => status))).toEqual(new Set(['unchanged']))
    },
  )
