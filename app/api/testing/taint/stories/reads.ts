import type { JsonObject } from '@/lib/values/json'
import type { Answer } from '../requests-to'
import type { Scene, Story } from '../story'
import {
  faultOfPage,
  filterText,
  matchesOf,
  randomSearch,
  type Search,
  sameRecords,
  servedAs,
  statusOf,
} from './searching'

/** Notes a status that the model excludes; true where the answer is one to compare. */
export function isComparable(scene: Scene, answer: Answer, statuses: number[] | null): boolean {
  if (answer.status >= 500) scene.fault(`status ${answer.status}: ${answer.text.slice(0, 300)}`)
  if (statuses === null) return false
  if (!statuses.includes(answer.status))
    scene.fault(`status ${answer.status} instead of ${statuses}: ${answer.text.slice(0, 400)}`)
  return answer.status === 200 && statuses.includes(200)
}

const bodyOf = ({ query, sort, fields, expand, page, size }: Search) => ({
  ...{ query, sort, expand, pagination: { page, size } },
  ...(fields.length > 0 ? { fields } : {}),
})

export const searchByBody: Story = async function* (scene) {
  const search = randomSearch(scene)
  const count = scene.random.pick(['exact', 'estimated', 'none', undefined])
  const answer = yield {
    method: 'POST',
    path: `/api/entities/${search.entity.name}/search`,
    body: { ...bodyOf(search), count },
  }
  if (!isComparable(scene, answer, statusOf(scene, search))) return
  const fault = faultOfPage(scene, search, answer.body)
  if (fault) scene.fault(fault)
}

export const searchByUrl: Story = async function* (scene) {
  const search = randomSearch(scene, false)
  const { query, sort, fields, expand, page, size } = search
  const parameters = new URLSearchParams({ page: String(page), size: String(size) })
  if (query.length > 0) parameters.set('filter', filterText(query))
  const sorted = sort.map(({ field, direction }) => `${field}:${direction}`)
  if (sort.length > 0) parameters.set('sort', sorted.join(','))
  if (fields.length > 0) parameters.set('fields', fields.join(','))
  if (expand.length > 0) parameters.set('expand', expand.join(','))
  const path = `/api/entities/${search.entity.name}?${parameters}`
  const answer = yield { method: 'GET', path }
  if (!isComparable(scene, answer, statusOf(scene, search))) return
  const fault = faultOfPage(scene, search, answer.body)
  if (fault) scene.fault(fault)
}

export const count: Story = async function* (scene) {
  const isByUrl = scene.random.chance(40)
  const search = { ...randomSearch(scene, !isByUrl), sort: [], fields: [], expand: [] }
  const { entity, query } = search
  const path = `/api/entities/${entity.name}/count`
  const answer = yield isByUrl
    ? { method: 'GET', path: `${path}?${new URLSearchParams({ filter: filterText(query) })}` }
    : { method: 'POST', path, body: { query } }
  if (!isComparable(scene, answer, statusOf(scene, search))) return
  const expected = matchesOf(scene, search).length
  const received = answer.body.data?.[0]?.count
  if (received !== expected) scene.fault(`counts ${received} instead of ${expected}`)
}

/** From the first page to the last. */
export const cursors: Story = async function* (scene) {
  const search = { ...randomSearch(scene), page: 0, size: scene.random.pick([2, 3, 5]) }
  const path = `/api/entities/${search.entity.name}/search`
  const { pagination: _, ...body } = bodyOf(search)
  const found: JsonObject[] = []
  let cursor: string | undefined
  do {
    const pagination = { size: search.size, ...(cursor ? { cursor } : {}) }
    const answer: Answer = yield { method: 'POST', path, body: { ...body, pagination } }
    if (!isComparable(scene, answer, statusOf(scene, search))) return
    found.push(...answer.body.data)
    cursor = answer.body.pagination.next
  } while (cursor)
  const expected = matchesOf(scene, search).map((row) => servedAs(scene, search, row))
  if (!sameRecords(found, expected as JsonObject[]))
    scene.fault(`pages of cursors differ: ${JSON.stringify(found).slice(0, 900)}`)
}

export const exportFile: Story = async function* (scene) {
  const search = { ...randomSearch(scene), expand: [] }
  const { entity, query, sort, fields } = search
  const format = scene.random.pick(['json', 'json', 'csv', 'xlsx'])
  const answer = yield {
    method: 'POST',
    path: `/api/entities/${entity.name}/export?format=${format}`,
    body: { query, sort, ...(fields.length > 0 ? { fields } : {}) },
  }
  if (!isComparable(scene, answer, statusOf(scene, search))) return
  if (format === 'json') compareExport(scene, search, answer)
  if (format === 'csv') {
    const lines =
      answer.text.replace(/\r?\n$/, '').split(/\r?\n(?=[^"]*(?:"[^"]*"[^"]*)*$)/).length - 1
    const expected = matchesOf(scene, search).length
    if (lines !== expected) scene.fault(`a file of ${lines} lines instead of ${expected}`)
  }
}

function compareExport(scene: Scene, search: Search, answer: Answer): void {
  const expected = matchesOf(scene, search).map((row) => servedAs(scene, search, row))
  const received = Array.isArray(answer.body) ? answer.body : JSON.parse(answer.text)
  if (!sameRecords(received, expected as JsonObject[]))
    scene.fault(
      `exported records differ: ${answer.text.slice(0, 700)}, expected ${JSON.stringify(expected).slice(0, 700)}`,
    )
}

/** A background export, prepared with the rights of that moment. */
export const exportJob: Story = async function* (scene) {
  const search = { ...randomSearch(scene), expand: [] }
  const { entity, query, sort, fields } = search
  const format = scene.random.pick(['json', 'json', 'csv', 'xlsx'])
  const created = yield {
    method: 'POST',
    path: `/api/entities/${entity.name}/exports?format=${format}`,
    body: { query, sort, ...(fields.length > 0 ? { fields } : {}) },
  }
  const isRight = [201, 400, 403, 409].includes(created.status)
  if (!isRight) scene.fault(`status ${created.status}: ${created.text.slice(0, 300)}`)
  if (created.status !== 201) return
  await scene.stage.finishExports()
  const { id } = created.body.data[0]
  yield { method: 'GET', path: `/api/exports/${id}` }
  yield { method: 'GET', path: '/api/exports' }
  const file = yield { method: 'GET', path: `/api/exports/${id}/file` }
  const isWhole = file.status === 200 && format === 'json'
  const statuses = statusOf(scene, search)
  if (isWhole && statuses?.includes(200)) compareExport(scene, search, file)
  yield { method: 'POST', path: `/api/exports/${id}/cancel` }
  yield { method: 'DELETE', path: `/api/exports/${id}` }
}
