import type { Deps } from '@/lib/deps'
import { GROUP_SCHEMA } from '@/lib/scim/attributes'
import type { Resource, ResourceQuery } from '@/lib/scim/contract'
import { type GroupView, groupVersion, listMembers, toGroupResource } from '@/lib/scim/group-view'
import { isSelected, project, readSelection } from '@/lib/scim/project'
import { baseOf, resourceReply } from './reply'

/** Groups as the request asks for them; members are read only where it does. */
export async function showGroups(
  deps: Deps,
  views: readonly GroupView[],
  query: ResourceQuery,
): Promise<Resource[]> {
  const selection = readSelection(query, GROUP_SCHEMA)
  const members = isSelected(selection, 'members') ? await listMembers(deps.db, views) : null
  return views.map((view) =>
    project(
      toGroupResource(view, members && (members.get(view.id) ?? []), baseOf(deps)),
      selection,
    ),
  )
}

type Asked = { request: Request; deps: Deps; query: ResourceQuery }

/** `isNew`: it was made by this request. */
export async function groupReply(
  { request, deps, query }: Asked,
  view: GroupView,
  { isNew = false } = {},
): Promise<Response> {
  const [shown] = await showGroups(deps, [view], query)
  const created = isNew ? { created: `${baseOf(deps)}/Groups/${view.id}` } : {}
  return resourceReply(request, shown as Resource, { version: groupVersion(view), ...created })
}
