import { serverCheck } from '@/lib/checks/contract'
import { runChecks } from '@/lib/checks/run-checks'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'checkServer',
      summary: 'Check what operators have to see to',
      description:
        'Settings, database, disk, storage, clock, proxies and backups: what was found of each, and what to do. Checks that do not answer within 2 s are warnings. The status is 200 whatever was found.',
      responses: { 200: listOf(serverCheck) },
    },
    access: 'system:read',
    handle: async ({ deps, request }) => ({ data: await runChecks(deps, request.headers) }),
  }),
})
