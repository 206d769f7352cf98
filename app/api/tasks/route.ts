import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { task } from '@/lib/tasks/contract'
import { listTasks } from '@/lib/tasks/list-tasks'

/** What is running on the server, for those who wait for it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listTasks',
      summary: 'List what is running',
      description:
        'Installations that are in progress on any instance, whoever started them, the oldest first; callers without the right to read plugins see none. At most 50 of a kind.',
      responses: { 200: listOf(task) },
    },
    access: 'signed-in',
    handle: async ({ deps, actor }) => ({ data: await listTasks(deps, actor) }),
  }),
})
