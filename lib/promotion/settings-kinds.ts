import { type EngineClient, listAt } from './engine-client'

export type Item = Record<string, unknown>

/** A list of the server that a snapshot has as a file. */
export type SettingsFile = {
  name: string
  /** What it is called in messages. */
  what: string
  list: (client: EngineClient) => Promise<Item[]>
  /** Whether it was made here: what plugins give is in theirs. */
  isOwn: (item: Item) => boolean
  /** Those of an item that go into the file, without the ones that are not set. */
  fields: readonly string[]
  /** Those by which an item of the file is found on a server. */
  identity: readonly string[]
  /** Where one is made and, with its id or name, changed. */
  path: string
  id: string
  /** Those that each server has for itself, once it has the item. */
  own?: readonly string[]
  /** What is the same as not to be set. */
  empty?: Item
  /** Besides, when it is made. */
  preset?: Item
  /** What has to be done by hand for one that was made. */
  missing?: string
}

const PAGE = { size: '100' }

export const SETTINGS_FILES: readonly SettingsFile[] = [
  {
    ...{ name: 'roles.json', what: 'role', path: '/api/roles', id: 'name' },
    list: (client) => client.all('/api/roles', PAGE),
    isOwn: ({ builtIn, pluginId }) => !builtIn && pluginId === null,
    fields: ['name', 'label', 'description'],
    identity: ['name'],
  },
  {
    ...{ name: 'policies.json', what: 'policy', path: '/api/policies', id: 'id' },
    list: (client) => client.all('/api/policies', { ...PAGE, plugin: '-' }),
    isOwn: () => true,
    fields: [
      ...['name', 'description', 'principals', 'entities', 'actions', 'allow', 'priority'],
      ...['where', 'fields', 'set', 'check'],
    ],
    identity: ['name'],
  },
  {
    ...{ name: 'views.json', what: 'view', path: '/api/views', id: 'id' },
    list: listViews,
    isOwn: ({ visibility }) => visibility !== 'private',
    fields: ['entity', 'name', 'visibility', 'role', 'params', 'defaultForRoles'],
    identity: ['entity', 'name', 'visibility', 'role'],
    empty: { defaultForRoles: [] },
  },
  {
    ...{ name: 'webhooks.json', what: 'webhook', path: '/api/webhooks', id: 'id' },
    list: (client) => client.all('/api/webhooks', PAGE),
    isOwn: ({ pluginId }) => pluginId === null,
    fields: ['name', 'url', 'entities', 'actions', 'where', 'fields', 'many', 'format'],
    identity: ['name'],
    own: ['url'],
    preset: { enabled: false },
    missing: 'it is paused: check its address, rotate its secret to see it, then turn it on',
  },
]

async function listViews(client: EngineClient): Promise<Item[]> {
  const views: Item[] = []
  for (const { name } of await listAt(client, '/api/entities'))
    views.push(...(await listAt(client, '/api/views', { entity: String(name) })))
  return views
}
