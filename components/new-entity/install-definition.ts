import type { InstallPreview } from '@/components/plugins/types'
import { upload } from '@/lib/http/upload'
import { getQueryClient } from '@/lib/query/client'
import { type DraftDefinition, toDefinitions } from './draft-definition'

type Planned = { data: { plan: InstallPreview } }

/**
 * Installs a definition as a plugin of its own, after a dry run. Throws an `Error` whose message has a line for each fault;
 * nothing is stored then.
 */
export async function installDefinition(draft: DraftDefinition, fileName: string): Promise<void> {
  const file = await archiveOf(draft, fileName)
  const { plan } = (await send<Planned>(file, 'dryRun=true')).data
  if (plan.installedVersion !== undefined) throw new Error(TAKEN(draft.name))
  const faults = plan.files.flatMap(({ error, details }) =>
    details.length > 0 ? details.map(({ message }) => message) : error ? [error] : [],
  )
  if (plan.failedCount > 0) throw new Error([...new Set(faults)].join('\n'))
  await send(file, `seal=${encodeURIComponent(plan.seal)}`)
  await Promise.all(
    [['search'], ['entities'], ['entity'], ['plugin']].map((queryKey) =>
      getQueryClient().invalidateQueries({ queryKey }),
    ),
  )
}

const TAKEN = (name: string) =>
  `A plugin made from a file has an entity called ${name} already. Choose another name.`

async function send<T>(file: File, query: string): Promise<T> {
  const form = new FormData()
  form.append('file', file)
  const path = `/api/plugins/install/zip?mode=atomic&${query}`
  return (await upload<T>({ path, form })).body
}

async function archiveOf(draft: DraftDefinition, fileName: string): Promise<File> {
  const { default: JSZip } = await import('jszip')
  const { name } = draft
  const { entity, schema } = toDefinitions(draft)
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value, null, 2))
  put('engineplugin.json', {
    ...{ id: `local.${name}`, name, version: '1.0.0' },
    description: `Made from the file ${fileName}`,
  })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  put(`EngineEntities/${name}.json`, entity)
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  put(`EngineSchemas/${name}.json`, schema)
  return new File([await zip.generateAsync({ type: 'blob' })], `${name}.zip`)
}
