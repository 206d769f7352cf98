import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { AppShell } from '@/components/shell/app-shell'
import { pageContext } from '@/lib/http/page'

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const collapsed = (await cookies()).get('sidebar')?.value === 'collapsed'
  const { actor } = await pageContext('signed-in')
  const viewer = { userId: actor.userId, email: actor.name, roles: actor.roles }
  return (
    <AppShell viewer={viewer} initiallyCollapsed={collapsed}>
      {children}
    </AppShell>
  )
}
