import { useQuery } from '@tanstack/react-query'
import { usePluginNames } from '@/components/plugins/plugin-names'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'
import { ListFilter } from '@/components/ui/list-filter'
import { countOf } from '@/components/ui/number'
import { Pager } from '@/components/ui/pager'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Badge, Status } from '@/components/ui/status'
import { Table, Td, Th } from '@/components/ui/table'
import type { PolicySource, Role } from '@/lib/policies/contract'
import { BUILT_IN_WORDS, PERMISSION_WORDS, policyWords } from './right-words'
import { ROLES_IN_TABLE, rolesOptions } from './role-queries'
import { useRoleParams } from './use-role-params'

/** The roles there are: what each gives, who says so, and how many have it. */
export function RolesTable() {
  const { role, rolePage, setRole, setRolePage } = useRoleParams()
  const roles = useQuery(rolesOptions({ role, rolePage }))
  if (roles.isPending) return <Skeleton className="h-64 rounded-lg" />
  if (roles.error) return <ErrorState of={roles} />
  const { data, meta, total } = roles.data
  const policies = new Map(meta.policies.map((policy) => [policy.name, policy]))
  return (
    <>
      <ListFilter label="Search roles" text={role} onText={setRole} />
      <Card flush className="min-h-0 overflow-auto">
        <Table aria-label="Roles" className="[&_tr:last-child>td]:border-b-0">
          <thead>
            <tr>
              <Th>Role</Th>
              <Th>May</Th>
              <Th>Other rights</Th>
              <Th className="text-right">Users</Th>
            </tr>
          </thead>
          <tbody>
            {data.map((each) => (
              <RoleRow key={each.name} role={each} policies={policies} />
            ))}
          </tbody>
        </Table>
        {data.length === 0 && <EmptyState title={`No role is called like “${role}”`} />}
      </Card>
      <Pager
        aria-label="Pages of roles"
        page={rolePage - 1}
        size={ROLES_IN_TABLE}
        total={total}
        onPage={(next) => setRolePage(next + 1)}
        text="roles"
      />
    </>
  )
}

type RowProps = { role: Role; policies: ReadonlyMap<string, PolicySource> }

function RoleRow({ role, policies }: RowProps) {
  const { name, builtIn, permissions, users } = role
  const filter = JSON.stringify([{ field: 'roles', operator: 'icontains', value: name }])
  return (
    <tr>
      <Td className="whitespace-nowrap">
        <Link href={`/roles/${encodeURIComponent(name)}`} className="font-medium hover:underline">
          {name}
        </Link>
        <span className="mt-0.5 block">
          {builtIn ? <Badge>Built in</Badge> : <Origin role={role} />}
        </span>
      </Td>
      <Td className="min-w-72">
        <May role={role} policies={policies} />
      </Td>
      <Td className="min-w-40 text-muted-foreground">
        {name === 'ADMIN' ? 'All' : permissions.map((each) => PERMISSION_WORDS[each]).join(', ')}
      </Td>
      <Td className="text-right">
        <Link
          href={`/users?filter=${encodeURIComponent(filter)}`}
          aria-label={`${countOf(users, 'user')} with the role ${name}`}
          className="tabular rounded hover:underline"
        >
          {users}
        </Link>
      </Td>
    </tr>
  )
}

function Origin({ role: { pluginId, label } }: { role: Role }) {
  const pluginName = usePluginNames()
  return (
    <span className="text-xs text-muted-foreground">
      {pluginId ? `From ${pluginName(pluginId)}` : (label ?? 'Named by users or policies')}
    </span>
  )
}

function May({ role, policies }: RowProps) {
  const pluginName = usePluginNames()
  const builtIn = BUILT_IN_WORDS[role.name as keyof typeof BUILT_IN_WORDS]
  return (
    <div className="grid gap-1">
      {builtIn?.may ?? role.description}
      {!role.grants && <Status tone="warning">Grants nothing</Status>}
      <ul className="grid gap-0.5 text-muted-foreground empty:hidden">
        {role.name !== 'ADMIN' &&
          role.policies.map((name) => {
            const policy = policies.get(name)
            return (
              <li key={name}>
                {policy ? policyWords(policy) : 'Policy'}: “{name}”
                {policy?.pluginId && ` of ${pluginName(policy.pluginId)}`}
              </li>
            )
          })}
      </ul>
    </div>
  )
}
