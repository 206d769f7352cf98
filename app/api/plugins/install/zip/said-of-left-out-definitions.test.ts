import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { install } from '../../testing/plugin-api'
import { deps, said } from '../../testing/said-of-definitions'

describe('a plan says', () => {
  test('which definitions the new version lacks, and which entity may be renamed', async () => {
    const version = (names: string[], policies: string[]) =>
      pluginFiles({
        EngineEntities: {
          files: Object.fromEntries(names.map((name) => [`${name}.json`, { name }])),
        },
        EnginePolicies: {
          files: {
            'all.json': policies.map((name) => ({
              name,
              principals: ['Clerk'],
              entities: ['Order'],
              actions: ['read'],
            })),
          },
        },
      })
    await install(deps, version(['Order', 'Chapter'], ['read', 'more']))
    expect(await said(version(['Order', 'Section'], ['read']))).toEqual(
      expect.arrayContaining([
        'The archive no longer defines the entity "Chapter", which stays installed with its records. If "Section" is its new name, declare "renamedFrom": "Chapter" for it',
        'The archive no longer defines the policy "more", which stays in force',
      ]),
    )
  })
})
