/** 10.244.0.0 to 10.247.255.255, without the first and the last address of every 256. */
const perSubnet = 254;
const subnets = 4 * 256;

function addressAt(number: number): string {
  const subnet = Math.floor(number / perSubnet);
  return `10.${244 + (subnet >> 8)}.${subnet & 255}.${1 + (number % perSubnet)}`;
}

/** The addresses of all Pods, by their uid. One that is released comes again only after all others. */
export class AddressPool {
  static readonly size = perSubnet * subnets;
  private readonly taken = new Map<string, string>();
  private readonly used = new Set<string>();
  private next = 0;

  of(uid: string): string {
    const known = this.taken.get(uid);
    if (known !== undefined) return known;
    if (this.used.size >= AddressPool.size) throw new Error('No Pod address is free.');
    while (this.used.has(addressAt(this.next))) this.next = (this.next + 1) % AddressPool.size;
    const address = addressAt(this.next);
    this.keep(uid, address);
    return address;
  }

  /** Of a Pod that has one already. */
  keep(uid: string, address: string): void {
    this.taken.set(uid, address);
    this.used.add(address);
  }

  release(uid: string): void {
    const address = this.taken.get(uid);
    if (address !== undefined) this.used.delete(address);
    this.taken.delete(uid);
  }
}
