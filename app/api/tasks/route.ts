import { methods, route } from '@/lib/http/route'
import { task } from '@/lib/tasks/contract'
import { listTasks } from '@/lib/tasks/list-tasks'

/** What is running on the server, for those who wait for it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listTasks',
      summary: 'List what is running',
      description:
        'On any instance: installations of all users, for callers who may read plugins; and the own exports and imports of a caller who is not limited to scopes. The oldest of a kind first, at most 50.',
      responses: { 200: task },
    },
    access: 'signed-in',
    handle: async ({ deps, actor }) => ({ data: await listTasks(deps, actor) }),
  }),
})
