import type { SearchTarget } from '@/lib/registry/target'
import { column, uuid } from './fields'

/** The outbox without bodies, which hold links and passwords. */
export const ENGINE_EMAILS: SearchTarget = {
  name: 'EngineEmails',
  table: { schema: 'engine', name: 'mails' },
  fields: [
    uuid('id'),
    column('to', 'text'),
    column('subject', 'text'),
    column('template', 'text'),
    column('status', 'text'),
    column('attempts', 'integer'),
    column('error', 'text', { nullable: true }),
    column('createdAt', 'datetime'),
    column('sentAt', 'datetime', { nullable: true }),
  ],
  keys: ['id'],
  extraColumn: null,
  extraFields: [],
  system: true,
}
