import type { ReactNode } from 'react'
import { pageContext } from '@/lib/http/page'
import { ConsoleFrame } from './console-frame'

export default async function AdminLayout({ children }: { children: ReactNode }) {
  return <ConsoleFrame {...(await pageContext('signed-in'))}>{children}</ConsoleFrame>
}
