import Link from 'next/link'

export default function Forbidden() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-sm content-center gap-4 p-6">
      <h1 className="text-xl font-semibold">You may not see this page</h1>
      <p>Your roles do not include it. An administrator can change that.</p>
      <Link href="/">Back to the start</Link>
    </main>
  )
}
