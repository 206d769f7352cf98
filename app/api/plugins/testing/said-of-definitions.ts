import { expect } from 'vitest'
import type { InstallPreview } from '@/lib/installs/plan-contract'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { install, upload } from './plugin-api'

export const deps = freshDeps()

export type Property = { name: string; type: string; [rule: string]: unknown }
export const text = (name: string, rules: object = {}): Property => ({
  name,
  type: 'string',
  ...rules,
})

export const shop = (properties: Property[], records: object[] = [], entity: object = {}) =>
  pluginFiles({
    EngineEntities: { files: { 'Customer.json': { name: 'Customer', ...entity } } },
    EngineSchemas: { files: { 'Customer.json': { name: 'Customer', properties } } },
    Customer: {
      files: { 'data.json': records },
      manifest: { target: 'Customer', insertDuplicate: 'Upsert' },
    },
  })

/** What a plan says about the files of definitions, which the log of the install must repeat. */
export async function said(files: Record<string, unknown>) {
  const plan: InstallPreview = (await upload(deps, files, { query: '?dryRun=true' })).body.data.plan
  const { logs } = await install(deps, files)
  const texts = ({ changes, warnings }: { changes: string[]; warnings: { message: string }[] }) => [
    ...changes,
    ...warnings.map(({ message }) => message),
  ]
  const planned = plan.files.flatMap(texts)
  expect(logs.flatMap(texts)).toEqual(planned)
  return planned
}
