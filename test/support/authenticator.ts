import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** A key of WebAuthn that signs for whoever asks, as a phone or a security key does after a look at its owner. */
export class Authenticator {
  readonly #id = randomBytes(32);
  readonly #origin: string;
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  #counter = 0;

  /** @param origin what the browser tells of the page */
  constructor(origin: string) {
    this.#origin = origin;
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  get id(): string {
    return this.#id.toString('base64url');
  }

  /** The answer to options for a new key. */
  register(challenge: string, rpId: string, more: Record<string, unknown> = {}) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    // COSE: kty EC2, alg ES256, crv P-256, x, y.
    const publicKey = Buffer.concat([
      Buffer.from('a5010203262001', 'hex'),
      Buffer.from('215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    // User present and verified, with a key.
    const data = Buffer.concat([this.#head(rpId, 0x45), Buffer.alloc(16), length, this.#id, publicKey]);
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x58, data.length]),
      data,
    ]);
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
      ...more,
    });
  }

  /** The answer to options to sign in. @param flags of the authenticator: 5 = user present and verified */
  sign(challenge: string, rpId: string, flags = 5) {
    this.#counter++;
    const clientData = this.#clientData('webauthn.get', challenge);
    const data = this.#head(rpId, flags);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: createSign('sha256').update(signed).sign(this.#keys.privateKey).toString('base64url'),
    });
  }

  #head(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter]);
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }

  #credential(response: Record<string, unknown>) {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
