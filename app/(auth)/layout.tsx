import type { ReactNode } from 'react'
import { Logo } from '@/components/shell/logo'

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-sm content-center gap-6 px-6 py-12">
      <p className="flex items-center gap-2 font-medium">
        <Logo /> Engine
      </p>
      {children}
    </main>
  )
}
