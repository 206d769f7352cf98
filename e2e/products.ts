import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect } from './fixtures'

/** A number that a double can't hold. */
export const BIG = '9007199254740993'
const MARKDOWN = [
  '## Care',
  '- **Dry** slowly',
  '',
  '| size | fits |',
  '|---|---|',
  '| 42 | yes |',
  '',
  '[More](https://stranger.example/more) ![A cat](https://stranger.example/cat.png)',
  '<script>document.title = "taken"</script>',
].join('\n')

const PROPERTIES = [
  { name: 'title', type: 'string', required: true },
  { name: 'state', type: 'string', enum: ['new', 'sold', 'lost'] },
  { name: 'unitPrice', type: 'decimal' },
  { name: 'stock', type: 'integer', label: 'In stock' },
  { name: 'sold', type: 'boolean' },
  { name: 'boughtAt', type: 'datetime' },
  { name: 'tags', type: 'array' },
  { name: 'sizes', type: 'array' },
  { name: 'details', type: 'object' },
  { name: 'care', type: 'text', contentMediaType: 'text/markdown' },
  { name: 'photo', type: 'string' },
  { name: 'foreignPhoto', type: 'url' },
  { name: 'cover', type: 'string', reference: { entity: 'EngineFiles', field: 'fileId' } },
  { name: 'latitude', type: 'number' },
  { name: 'longitude', type: 'number' },
]

const record = (id: string, fields: string) => `{"id":"${id}","title":"Boot ${id}",${fields}}`

/** `name` with two records in which every kind of value occurs. */
export async function installProducts(
  api: APIRequestContext,
  name: string,
  more = '',
): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name, version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  put(`EngineSchemas/${name}.json`, { name, properties: PROPERTIES })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  const pks = [{ key: 'id', strategy: 'Fixed', type: 'string' }]
  put(`EngineEntities/${name}.json`, { name, pks, auditable: true })
  put(`${name}/__manifest__.json`, { target: name })
  const first = [
    '"state":"sold","unitPrice":1234567.5,"stock":25000,"sold":true,"boughtAt":"2026-03-14T09:05:00.000Z"',
    '"tags":["winter","red"],"sizes":[42,43.5]',
    `"details":{"code":"12","weight":1.10,"serial":${BIG},"boxed":false,"maker":null,"parts":{"of":[${BIG}]}}`,
    `"care":${JSON.stringify(MARKDOWN)},"latitude":48.1374,"longitude":11.5755`,
    `"foreignPhoto":"https://stranger.example/boot.png"${more}`,
  ].join(',')
  zip.file(`${name}/data.json`, `[${record('a', first)},${record('b', '"unitPrice":3.125')}]`)
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

/** The stored record as the API writes it, without blanks between its values. */
export const storedText = async (api: APIRequestContext, entity: string, key = 'a') =>
  (await (await api.get(`/api/entities/${entity}/${key}`)).text()).replaceAll(/(?<=[:,]) /g, '')
