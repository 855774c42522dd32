/** The five regional registries, as their lists name them, and where the lists are. */
export const registries = ['afrinic', 'apnic', 'arin', 'lacnic', 'ripencc'] as const;

export type Registry = (typeof registries)[number];

export type ListAddresses = Readonly<Record<Registry, string>>;

export const listAddresses: ListAddresses = {
  afrinic: 'https://ftp.afrinic.net/pub/stats/afrinic/delegated-afrinic-extended-latest',
  apnic: 'https://ftp.apnic.net/stats/apnic/delegated-apnic-extended-latest',
  arin: 'https://ftp.arin.net/pub/stats/arin/delegated-arin-extended-latest',
  lacnic: 'https://ftp.lacnic.net/pub/stats/lacnic/delegated-lacnic-extended-latest',
  ripencc: 'https://ftp.ripe.net/pub/stats/ripencc/delegated-ripencc-extended-latest',
};

export function registryNamed(name: string): Registry | undefined {
  return registries.find((registry) => registry === name);
}
