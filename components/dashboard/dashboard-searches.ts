import type { Search } from '@/lib/query/search-key'

/** The query key of the health, on the server and in the browser. */
export const HEALTH_KEY = ['health'] as const

const LIST = { page: 0, size: 5 }
const eq = (field: string, value: string) => [{ field, operator: 'eq', value }]
const latest = (field: string) => [{ field, direction: 'desc' as const }]

/** What needs attention: each with the address of the list that shows all of it. */
export const ATTENTION = {
  failedInstalls: {
    entity: 'EnginePluginHistory',
    search: {
      fields: ['id', 'pluginName', 'source', 'status', 'failedCount', 'totalFiles', 'startedAt'],
      query: [{ field: 'status', operator: 'in', value: ['FAILED', 'PARTIAL'] }],
      sort: latest('startedAt'),
      pagination: LIST,
    },
  },
  failedMails: {
    entity: 'EngineEmails',
    search: {
      fields: ['id', 'to', 'subject', 'error', 'createdAt'],
      query: [{ field: 'status', operator: 'in', value: ['failed', 'bounced'] }],
      sort: latest('createdAt'),
      pagination: LIST,
    },
  },
  /** Only without a provider: with one they wait to be sent. */
  keptMails: {
    entity: 'EngineEmails',
    search: {
      fields: ['id', 'to', 'subject', 'template', 'createdAt'],
      query: eq('status', 'queued'),
      sort: latest('createdAt'),
      pagination: { page: 0, size: 50 },
    },
  },
  waitingUsers: {
    entity: 'EngineUsers',
    search: {
      fields: ['userId', 'email', 'createdAt'],
      query: eq('status', 'REQUIRED_ACTIVATION'),
      sort: latest('createdAt'),
      pagination: LIST,
    },
  },
} satisfies Record<string, { entity: string; search: Search }>

/** Those of some addresses who wait for no activation. */
export const activatedAmong = (emails: readonly string[]): Search => ({
  fields: ['userId', 'email'],
  query: [
    { field: 'email', operator: 'in', value: emails },
    { field: 'status', operator: 'ne', value: 'REQUIRED_ACTIVATION' },
  ],
  pagination: { page: 0, size: emails.length },
  count: 'none',
})

export const PLUGINS_COUNT: Search = { fields: ['id'], pagination: { page: 0, size: 1 } }
export const USERS_COUNT: Search = { fields: ['userId'], pagination: { page: 0, size: 1 } }
export const IMAGES_COUNT: Search = { fields: ['fileId'], pagination: { page: 0, size: 1 } }

/** The installs that the chart is drawn of: at most a thousand of the last 30 days. */
export const installsSince = (since: string): Search => ({
  fields: ['startedAt', 'status'],
  query: [{ field: 'startedAt', operator: 'gte', value: since }],
  sort: latest('startedAt'),
  pagination: { page: 0, size: 1000 },
  count: 'none',
})

export const ACTIVITY: Search = {
  sort: latest('id'),
  pagination: { page: 0, size: 12 },
  count: 'none',
}
