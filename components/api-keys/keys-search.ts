import { listQuery } from '@/components/lists/list-query'

/** All API keys, the latest first. */
export const keysQuery = listQuery('EngineApiKeys', {
  searchIn: ['name', 'prefix'],
  order: { field: 'createdAt', direction: 'desc' },
})
