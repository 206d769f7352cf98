import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { AppShell } from '@/components/shell/app-shell'

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const collapsed = (await cookies()).get('sidebar')?.value === 'collapsed'
  const viewer = { userId: '', email: 'admin@example.com', roles: ['ADMIN'] }
  return (
    <AppShell viewer={viewer} initiallyCollapsed={collapsed}>
      {children}
    </AppShell>
  )
}
