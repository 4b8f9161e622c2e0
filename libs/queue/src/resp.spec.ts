import { encodeCommand, RespError, RespReader } from './resp.js';

describe('encodeCommand', () => {
  it('should count bytes, not characters', () => {
    expect(encodeCommand(['PUBLISH', 'a', 'ä'])).toBe('*3\r\n$7\r\nPUBLISH\r\n$1\r\na\r\n$2\r\nä\r\n');
  });
});

describe('RespReader', () => {
  it('should read values of every kind', () => {
    const values = new RespReader().push(
      Buffer.from('+OK\r\n:42\r\n$-1\r\n$3\r\nabc\r\n*2\r\n$1\r\na\r\n*1\r\n:1\r\n'),
    );
    expect(values).toEqual(['OK', 42, null, 'abc', ['a', [1]]]);
  });

  it('should wait for bytes that are missing, wherever they are cut', () => {
    const message = '*3\r\n$7\r\nmessage\r\n$11\r\nherald:work\r\n$1\r\n1\r\n';
    for (let cut = 0; cut <= message.length; cut += 1) {
      const reader = new RespReader();
      const values = [
        ...reader.push(Buffer.from(message.slice(0, cut))),
        ...reader.push(Buffer.from(message.slice(cut))),
      ];
      expect(values).toEqual([['message', 'herald:work', '1']]);
    }
  });

  it('should tell errors from texts and refuse what is no Redis', () => {
    expect(new RespReader().push(Buffer.from('-NOAUTH no\r\n'))[0]).toBeInstanceOf(RespError);
    expect(() => new RespReader().push(Buffer.from('HTTP/1.1 400 Bad Request\r\n'))).toThrow(RespError);
  });
});
