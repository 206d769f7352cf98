import { methods, route } from '@/lib/http/route'
import { createPublisher } from '@/lib/publishers/change-publishers'
import { createPublisherBody, publisher } from '@/lib/publishers/contract'
import { selectPublishers, toPublisher } from '@/lib/publishers/store'

/** Whose keys are trusted to sign plugins. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listPublishers',
      summary: 'List the trusted publishers',
      description: 'All of them, by name: there are at most 100.',
      responses: { 200: publisher },
    },
    access: 'plugins:read',
    handle: async ({ deps }) => ({ data: (await selectPublishers(deps.db)).map(toPublisher) }),
  }),
  POST: route({
    doc: {
      id: 'createPublisher',
      summary: 'Trust a publisher',
      description: 'Archives that are signed by this key are the publisher’s from then on.',
      responses: { 201: publisher },
      fails: ['conflict'],
    },
    access: 'security:manage',
    body: createPublisherBody,
    handle: async ({ deps, actor, requestId, body }) => ({
      data: [await createPublisher(deps, body, { actor, requestId })],
      status: 201,
    }),
  }),
})
