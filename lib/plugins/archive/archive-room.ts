import type { Room } from './variables'

/** The most bytes that variables may add to all files of an archive together. */
export class ArchiveRoom {
  private readonly used = new Map<string, number>()

  constructor(private left: number) {}

  /** Starts a file; releases what an earlier reading of it used. */
  begin(path: string): void {
    this.left += this.used.get(path) ?? 0
    this.used.set(path, 0)
  }

  /** Runs `work`, which may use up to `most` bytes of what is left for the file. */
  take<T>(path: string, most: number, work: (room: Room) => T): T {
    const bytes = Math.min(most, this.left)
    const room = { bytes }
    try {
      return work(room)
    } finally {
      const taken = bytes - room.bytes
      this.left -= taken
      this.used.set(path, (this.used.get(path) ?? 0) + taken)
    }
  }
}
