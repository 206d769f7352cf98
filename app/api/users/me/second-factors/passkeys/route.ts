import { methods, route } from '@/lib/http/route'
import { addPasskey } from '@/lib/second-factors/add-passkey'
import { addedPasskey } from '@/lib/second-factors/contract'
import { addPasskeyBody } from '@/lib/second-factors/passkey-contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'addPasskey',
      summary: 'Add a passkey',
      description: 'As the browser made it. With the first factor, your other sessions end.',
      responses: { 201: addedPasskey },
      fails: ['conflict'],
    },
    access: 'own-session',
    body: addPasskeyBody,
    handle: async ({ deps, actor, requestId, body }) => ({
      data: [await addPasskey(deps, body, { actor, requestId })],
      status: 201,
    }),
  }),
})
