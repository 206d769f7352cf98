import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { makeImage } from '../lib/testing/images'

const USERS = 120
const PLUGINS = 60
const RECORDS = 20_000
const IMAGES = 60

/** The content of a busy server: many users, plugins and installs, and an entity with long texts. */
export async function seedMuch(api: APIRequestContext): Promise<void> {
  if ((await api.get('/api/entities/Note/columns')).ok()) return
  await install(api, await notes())
  for (let i = 0; i < PLUGINS; i += 1) await install(api, await smallPlugin(i))
  for (let i = 0; i < USERS; i += 1) await createUser(api, i)
  for (let i = 0; i < IMAGES; i += 1) await uploadImage(api, i)
}

async function uploadImage(api: APIRequestContext, i: number): Promise<void> {
  const size = { width: 160 + 40 * (i % 7), height: 120 + 60 * (i % 5) }
  const file = {
    name: `${i}.png`,
    mimeType: 'image/png',
    buffer: await makeImage('png', size),
  }
  const options = JSON.stringify({ tags: ['catalogue', ...(i % 3 ? [] : ['front', 'large'])] })
  const namespace = ['', 'shop/products', 'shop/people'][i % 3] ?? ''
  const multipart = { namespace, assetId: `picture-${i}`, options, file }
  await api.post('/api/images/upload', { multipart })
}

async function install(api: APIRequestContext, buffer: Buffer): Promise<void> {
  const file = { name: 'plugin.zip', mimeType: 'application/zip', buffer }
  await api.post('/api/plugins/install/zip', { multipart: { file } })
}

const ROLES = ['ADMIN', 'EDITOR', 'VIEWER', 'WAREHOUSE', 'A role with quite a long name of its own']

async function createUser(api: APIRequestContext, i: number): Promise<void> {
  const email = `person.${i}${i % 7 === 0 ? '.with.a.rather.long.address' : ''}@example.com`
  const roles = [ROLES[i % ROLES.length], ...(i % 4 === 0 ? ROLES.slice(1, 4) : [])]
  const profile = { name: `Person ${i}`, address: { city: 'Example', floor: i } }
  const generate = i % 3 === 0 ? '?generatePassword=true' : ''
  const password = i % 3 === 1 ? `correct horse ${i}` : null
  const data = { email, password, roles: [...new Set(roles)], profile }
  await api.post(`/api/users/init${generate}`, { data })
}

async function smallPlugin(i: number): Promise<Buffer> {
  const name = `Part${i}`
  return archive(
    {
      id: `com.example.part-${i}`,
      name: `Part ${i}`,
      version: `1.${i}.0`,
      description: `Part ${i}`,
    },
    name,
    [{ name: 'label', type: 'string', required: i % 5 === 0 }],
    [{ label: i % 10 === 0 ? null : 'One' }],
  )
}

async function notes(): Promise<Buffer> {
  const fields = Array.from({ length: 30 }, (_, i) => ({ name: `extra${i}`, type: 'integer' }))
  const properties = [
    { name: 'title', type: 'string', searchable: true },
    { name: 'text', type: 'text' },
    ...fields,
  ]
  const records = Array.from({ length: RECORDS }, (_, i) => ({
    title: `Note ${i}`,
    text: 'A long text that no cell can hold. '.repeat(1 + (i % 9)),
    extra0: i,
  }))
  const manifest = { id: 'com.example.notes', name: 'Notes', version: '3.1.4' }
  return archive(manifest, 'Note', properties, records)
}

async function archive(
  manifest: object,
  name: string,
  properties: object[],
  records: object[],
): Promise<Buffer> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', manifest)
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  put(`EngineSchemas/${name}.json`, { name, properties })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  put(`EngineEntities/${name}.json`, { name })
  put(`${name}/__manifest__.json`, { target: name })
  put(`${name}/data.json`, records)
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' })
}
