import type { ReactNode } from 'react'

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <main className="mx-auto grid min-h-dvh max-w-sm content-center gap-6 p-6">{children}</main>
  )
}
