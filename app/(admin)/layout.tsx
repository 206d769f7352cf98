import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { AppShell } from '@/components/shell/app-shell'
import { viewerOf } from '@/components/shell/viewer-of'
import { pageContext } from '@/lib/http/page'

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const collapsed = (await cookies()).get('sidebar')?.value === 'collapsed'
  const { actor } = await pageContext('signed-in')
  return (
    <AppShell viewer={viewerOf(actor)} initiallyCollapsed={collapsed}>
      {children}
    </AppShell>
  )
}
