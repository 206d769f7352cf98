import type { Json, JsonObject } from '@/lib/values/json'
import type { Scene, Story } from '../story'
import type { WorldEntity } from '../world'
import { anyRow, changesOf, newRecord, writableEntity } from './values'

const MODES = ['create', 'update', 'upsert']

/** Rows of new records and of changes to records, hidden ones too. */
function rowsFor(scene: Scene, entity: WorldEntity, mode: string): JsonObject[] {
  const { random } = scene
  return Array.from({ length: 1 + random.below(4) }, () => {
    if (mode === 'create' || random.chance(30)) return newRecord(scene, entity)
    const row = anyRow(scene, entity.name)
    const keys = entity.keys.map((key): [string, Json] => [key, row[key] ?? null])
    return { ...changesOf(scene, entity), ...Object.fromEntries(keys) }
  })
}

function fileOf(scene: Scene, records: JsonObject[]): FormData {
  const form = new FormData()
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const cell = (value: Json | undefined) =>
    value === undefined || value === null
      ? ''
      : `"${(typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll('"', '""')}"`
  const csv = [names.join(), ...records.map((one) => names.map((name) => cell(one[name])).join())]
  const isCsv = scene.random.chance(60)
  const text = isCsv ? csv.join('\n') : JSON.stringify(records)
  form.set('file', new File([text], isCsv ? 'rows.csv' : 'rows.json'))
  return form
}

export const importFile: Story = async function* (scene) {
  const { random } = scene
  const mode = random.pick(MODES)
  const entity = writableEntity(scene, mode === 'update' ? 'update' : 'write')
  const body = fileOf(scene, rowsFor(scene, entity, mode))
  const asked = [
    `mode=${mode}`,
    ...(random.chance(40) ? ['dryRun=true'] : []),
    ...(random.chance(60) ? ['partial=true'] : []),
    ...(random.chance(40) ? ['unknownColumns=ignore'] : []),
    ...(entity.name === 'Order' && mode !== 'create' && random.chance(30)
      ? ['key=orderNumber']
      : []),
  ].join('&')
  const path = `/api/entities/${entity.name}/import?${asked}`
  const answer = yield { method: 'POST', path, body }
  if (answer.status >= 500) scene.fault(`status ${answer.status}: ${answer.text.slice(0, 300)}`)
  const done = answer.body.data?.[0] ?? answer.body.meta?.import
  if (!done?.id) return
  yield { method: 'GET', path: `/api/imports/${done.id}` }
  yield { method: 'GET', path: `/api/imports/${done.id}/refused` }
  if (random.chance(20)) yield { method: 'POST', path: `/api/imports/${done.id}/cancel` }
  if (random.chance(50)) yield { method: 'DELETE', path: `/api/imports/${done.id}` }
}

export const previewImport: Story = async function* (scene) {
  const mode = scene.random.pick(MODES)
  const entity = writableEntity(scene, 'write')
  const body = fileOf(scene, rowsFor(scene, entity, mode))
  const asked = scene.random.chance(50) ? '' : `?mode=${mode}`
  const path = `/api/entities/${entity.name}/import/preview${asked}`
  const answer = yield { method: 'POST', path, body }
  if (answer.status >= 500) scene.fault(`status ${answer.status}: ${answer.text.slice(0, 300)}`)
}
