import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { AppShell } from '@/components/shell/app-shell'
import { ServerFactsProvider } from '@/components/shell/server-facts'
import { viewerOf } from '@/components/shell/viewer-of'
import { pageContext } from '@/lib/http/page'

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const collapsed = (await cookies()).get('sidebar')?.value === 'collapsed'
  const { deps, actor } = await pageContext('signed-in')
  return (
    <ServerFactsProvider value={{ sendsMail: deps.mail !== null }}>
      <AppShell viewer={viewerOf(actor)} initiallyCollapsed={collapsed}>
        {children}
      </AppShell>
    </ServerFactsProvider>
  )
}
