import FoundationEssentials

/// The private keys of a chain: made for these tests, checked in, and good for nothing else.
///
/// To make RSA keys anew for each run takes seconds.
struct TestKeys {
  /// A private key of each kind, in base64.
  struct Pair: Sendable {
    /// A key of P-256: 32 bytes.
    let elliptic: String
    /// An RSA key of 2,048 bits: PKCS#1 in DER.
    let rsa: String
  }

  let root: Pair
  let intermediate: Pair
  let signer: Pair

  /// The keys of somebody else's chain if `others` is true, of the usual one if not.
  static func keys(ofOthers others: Bool) -> TestKeys { others ? Self.others : own }

  private static let own = TestKeys(
    root: Pair(
      elliptic: "ymjoPVHnrvfWa2mFNd0GjPJXWbllqzDav0Qwp5MvHTw=",
      rsa: """
        MIIEpAIBAAKCAQEAzo2I2xm7lxtyZ1FRx5NLOGB3GRvCoesa9F51r7BMxStfcxoesRIPQ+HAxm2ruB911FcJWGzA\
        m5YrDh9EGHDHKhgYJcwf/faeUY8+WiA0pOIPqx49dRcaYMFurUMzbvJ4NiH8Q2+dT8id14UDhZn8pmC5HyYJGGTX\
        qbp4evborPRnfXOjx3OAucflFheXjZXVJoo3WTr211iTFatoHh3fvh7n0k5peU0T0GaKVtL63/OFuW9PanFarzQV\
        Qji207xOG8HCVLFO/yJEIZUZizIwS8uzCM87oHyS0TnNT3uwTfVpOcYW8nVZcklkcGuzob+QjSaVXK7Dau5WFb9N\
        V985DwIDAQABAoIBAGV3pOPRI9Sq4Iv9qDls07ZZuRgGCZpmNuMV5iVM66GuWWDfU3Vz5DjaFUvFA2bbWZRav1YH\
        cqTb48G3vUluWYCFvpMO0CZ/uK1jO2Olz4ayILVUkSdMlqIyU87cpM8bYM9i6ZwtH+/aIyQFDUJb73/CIx64nh40\
        J7eSyW3Kjmmrcekmzohut9ePuZ/UK7UwwDDZM6+VRNURqmjacw0iCfF0FTNsj56S9yD3lLPKSOSP7zgxPEdHFPv9\
        0Dtj63w7yvVmG9YQgreBD7cinBGK6niyZb/4gAi/84zg//XvIs3YU1kkrhpAGB2Gajm9DykLCLPmN/HQRbF1ZEbo\
        vEbiE3ECgYEA+P1xGK4GaGiAkr0Qv8fDnLC3YOWIXRP6WDNzKgBNoxCtlqCU5RzGMQZlfXy8iJsycGuHYIFE39b/\
        inupyF1C+jEfc8gyi2MzQUtV0JrbctqJEKRbZdApQrnMkhXb+wMSJyA5ECEgAO8Z6kBUQh3dfJJv1//LKR60q4Wc\
        Fq6njlECgYEA1F47xiaGR5uaMUa+VdTm3znQLXb8bLLH6nLLSSD9SV5RwXnI2v9tlwvGUFjA/wvPSmWH35NwoawF\
        /cJUr78re8C8czZraVZyHc+2WwYQGu/vddcaBGBzFdjNjBYNIhdlSlFvW2Rn5/CRgOPQHBwFVne/GiSFnjAx6FRG\
        /JGzmV8CgYB4jp5YCMrpes/mPM0DTsIT+CySKhEgoC+yzRaR25u7vLOQHyh41rnPuv0hCWhv7FU7wZTG0VB74SnR\
        75aBgUaQxYApG2H9w4ZpswRWAOUIc2+yMyJd5bBUsomuog7lNtNvRlbazG8mhJ7ToVoquTMowe6Nczj3K/rmoca1\
        5NMUQQKBgQDIykAh3ZLgaZKkPIsBhEa1kGfwVKvd6jtyxA7ImdRhZjhOgeMSjKcFRTDADuqLOpNHeC+7iB/Z/Fe9\
        0dtYP5vRai3DkRSFiCJlZVq5PUZE8c6q0DHdKYQmh9HwPXk1XoF6fvyWoJxNg/tOrha6PRQe6SFaimV7Z34IeIaV\
        jv0MaQKBgQCHoMV0M9psc78hzsRKgtjkNwVZNa7+bXSuBaoVOL3fnO9pcV+wMwc52Pi8LZ8NX1IUF9rO+ri2oCfC\
        DJ+TF5QyzDwPMSr6ehrXcRaV6yvbO2ilwA5Vp3L1Z4VfuAoJNzex/9Ww/x/sDL1r0u0iMYWaBjwE6rt2hUUqar/a\
        tCjhog==
        """),
    intermediate: Pair(
      elliptic: "a+mPAf8K0HxkQ5GG5Cty+wFIle9IBW8KeOJkcL3XJ30=",
      rsa: """
        MIIEowIBAAKCAQEA3EGY9n5YYvFoWIzbf7drcT2kqjFRX0a0Aa/E6mAYlyI3xwC4Bh7e5udnv1wA2seLDmRMnurK\
        L5oR/ey9My294gTJOlMsw2v6MkepSjJ3/dbqpm5A/PwSEphZ2KHYWr3dEwmsuaInmHjZEimDWwfLKzAanpOls3zK\
        je6NWYuZffrT+rAkN9MCZ13p3Ax9X5Y6p1kcYyDAspj5BRoMu6OM/8Th9VcYjgd5jL8KXlAAR6ai3uqsL1kNoWee\
        IWITq0aEdKYrCkvPwCBBliVs5GirJPcE96dtK4dwETCEaHymXOV9+Op9HEzc/JORS1AL2wV5LpLxgife0Wv6su6M\
        EH8EJQIDAQABAoIBABAeTM9dF6LF/9jbFgUWqyoyVKaPzWCnj+y/rC1qsuH8gxBxIQZxo+ZJ8PG0Dev0xlxbQrAu\
        hnVNVRu8A2yHYGn157P4+kGi2UBsthrT7qwI2ksrrl3VJI1v0MNltKuPUWpfPuCm2TbzQQ9vMkmrHFcgwhHwxCOK\
        clhIqNdwu97YJX4gjHvp2rUoqKuy6IKb4tM/CBIBI1WCXRN0WzGn9KJBIfmHjIEPXskbIKnmy682EXs0P6j61z0b\
        fJr6hjDWQNQTIPGgBid+eKUEIcvtrjM2kcj7I2EV5YqjSip0087ya00a5yxyZ1L5ez+gGi1Y3WGEbTG0SAcro2zH\
        fI3xJlECgYEA9IX/aHxhRfeX1p5aqyekbTHBMdi3bibJuST9k39mWz7hwwpwPLWzX4lKsUa+qwyyRLwfz5rFfH0q\
        /u6/8hGw+iyXOsKxhlMjY+UXuPJto6zuqZFVkGRHG13m6RkKgVa+k+vt3UKXipgOkMxep/mgMJBHaAez0+RpeKni\
        LbW+9AcCgYEA5pgGNkNTfbeMHa8XcP1r2r5NOUVh/dq31rsY6oCbqFkGw9HW80x8P/46ZFps84xsHE54Sx0XFAbX\
        HNMG2Jz6A9vPeKxUDasWDYulyUsK7czBawKPjEXLnQ1YS8p7axFZZXxScOmjL4RKKuzvlfptdwlhmPNvd2s2d1Zl\
        wjOWM3MCgYAcDsQf2SXQQXjKx6Dfwsy7OtpQPe3OVeUPuY7fPd8g2TZOiwQV80OB0t8fOF7ogaxy9qMvzzKZ9kLY\
        vcyImj8UdclklLKKF0AYVlFCh47NGSrJikOnLdp66Wt1k8oAzVNQ5eGFYf7BiHEjbE/wNlSLPgLzjO61gaAYmGW7\
        mP8wQQKBgBR7OkoFjtviuqpETAO4LqU+M+O7WunOTHfhJGRnyeuZBLXN5Ja1m2+fqBYTxguX1F5rRdn+Gnen5+Fi\
        iQAiaT6AfpwMSmbwZEQNvEr1xGG8xw03LALcjCpF7irFMFMhNlyCP1xSFDF7QY8wflNG7AQfrDCGpsbnme3dmao3\
        JMcrAoGBAJ76stmMsxYlrHjHSOJe5ebX+qhIj13uMoS2V/6kZ/3rLQEOM2HiIrAsz3rL5PjnvmFk6e5FOzjEBtrj\
        pB2HbZnqO9FAfk6kdLFOfS6kWK2FyO0EePmp0/K97X8dYAIscRXTo5y9QdtCgxOHrpNuO3Ay63+FjY+l9u2d3qvL\
        l0E+
        """),
    signer: Pair(
      elliptic: "Zprg4bTYl4oulSUvubPYaNw41lzFcczes1loW5IbgU0=",
      rsa: """
        MIIEowIBAAKCAQEAuQxQ9iZysnrkSJSZtDR4YIE0VLpZ7j9fmm+aHIPjK0cGTPOP0cxX5AoxWpO2cLV6+0wcJryW\
        W6k+SlIofU9XMnUfpusktFIoxzWberbAZFahsSMT9+HpazOLcHi6R+UwTyF8ySEQFi11K18/2VmDcQBoY1C8qtTO\
        6TTU2JuMxgANz/t/AfQXlHUg9d90ZfZUF2nBDos+XpiF/HtJmBWN0xqaeV2u+2ik8AYGWKvj/dj7NElY/e+sU5G4\
        Kur62LWUdKYSDiPvN8D3mVRF7vdQI9T15IbHpB830fShZmyvtqN1nls1cTo1FvFmh4M8cBncO7Qwv0Zcf3n5cbT+\
        oc4iTwIDAQABAoIBABl/5/wziiSsKJ8T0yZxAJGT3Gk8kL3y/7KhZGQ/jGNfUy/xdEUd2pKzEOABcOeRKpRMhaiU\
        3kddSBcnwSqbb1GlsCnpR1KN686fxYAghNyOz5NAWTUUbXz3SmTCTjEwFPsiizaQFs5njzjd1EeYPTOqMbhV3NnR\
        n32laRs8PCbgiOk4lbfMcb9n1SisF6Wj5F2vKdB5JDWuz/hX1WdcI8RDL+WLf+yCwmM+w5yydMvArGuTaKr20fFr\
        1DoWl0b7xd9EhrrDFjrj6kZGfyie0QDVob2kq651FdHGHWkAznR9aOxRmg3VpmRAzSRcRe8Do+B8e/A74kHg/Zak\
        +L9aTnkCgYEA6G53i7APuJLMWOLS5RLR3YqXOi4X9nHNW6e5dxPvMC8KVwN7IZePBf4gknaGxFIh2Qi5jhrOg3g7\
        JQCwKty59tLa+eX0uKJ5jTDtF5QRI2BJ/Khi5d7aCrnejU/lVDDpk1iUFMyuRqN+yG346ESHf+TtPUdPzcAm5Adp\
        C8/4kiUCgYEAy8/bAVc3d+11vcUsWx4XHI+dG3sj3LjrF/x9oIkJ2GZE0GFLQIqjMqj0po3sulp1yghqn3pKCc9p\
        H6dxV2F2iBZYF2lqZs07QA1jUEhq7wGMNFvKuNWMQxhfH3rmDRtQ52k5jZExsnjMv8yuLd2SyfsX5cG5/rIUXgWQ\
        iWOBxmMCgYEA5BOKASuJsa9zEAG7uocmIoOdc7zJTM5NGhRSfNO10Q1H0yyaRdNHyDSfV7kw8zI4/pR+KECLxxxS\
        xTOQqu6fGOG9eJy67/aW2gJZlNp5msIgt+mv6isswHu1M+tjeKLqgOjZnjNfC/fhL+Ih7iFY6RoF5iy01YwpXXcc\
        EDhKjXUCgYA8miaVxHhC2cHb1qg0w8K9hFqD1F66f+WvsS0tsfHSfb5Sc8urek3Cf4iXibXtR36kv1Hs77DaL+kj\
        N2e1Qs668mHpPDgeL0JB7nksYwwg20X0P6MMyLq3LKUEOEf1d7zbwmcRmC290ruXAGZ+TtcZ5eaaM7t5Zzw1JNRw\
        db0d3wKBgFQymqwAgX8bCeKxIkfVJQwC6KN1KgVzFyvwjXytlvvNviP1gu0LYVwj0FvFX/KXRF2VsTyff0m42y0E\
        egAS+mOaSFS0SsUrYIm2h2oNfZ3R63NKqHlLDuaZiBZRvmADmLiK6wxUuTRN9nwubGKQST3XYzfpN55HOzHICOAY\
        buUx
        """))

  private static let others = TestKeys(
    root: Pair(
      elliptic: "kcHfvv/Nx2X7X2b7WveX2DgBl9Foy+NLBKqFzAP7rjU=",
      rsa: """
        MIIEowIBAAKCAQEAytO3xwqf+pS6WsQjEOUL8+2oCBlxMHOC1Ay34HFLhrXGkaiInKqGgxhJU8DjZNLZaUiwrieu\
        K1pIyMY511Zq/X0r16whtd3jfpiI0HV+ZnPBEBo7vbZUG0i3wy7sDe7fvSoPMJydDmsRXGEhkdDa0ezMCNOujDHb\
        P77uOPlqz20bKB8gzu8LvyupY48k9TLbs/iF+4N7jox67DAY8vomMLhtuE4bpW3xrNRpInv4QzLn1TLqigQC63fS\
        53fcsjlYbJWi36P7ANwdNqUbRu/yA1BqQDZQYeTxj/fKUiJx4Cbp4fnzTPA7G9MJDu4Z4bYYXvMF8KEitdyUzvhv\
        MUXSpwIDAQABAoIBAAT5l3bm4FCtqDqEuBV4gMgNasM0GI4nLyzTWQlEziTyPXoiJ6OsHRuHE3ld8FXvRAzsjwTe\
        jUub7dAa6J1LDdnE4bfrDXKgDC31QNnYH+8UZMZn1lJLcBmxOWyssHaRBuTlbLT1CncpkiXxbfjdJhjjFYgb5Rqk\
        OGwCW2aDW6bVy5elSlXRYKAaDeNCuXCUmtyRUf66hDQ5ItVoYcSIZfck0mKKqOyyo/B9Vvftjloca5sUCVRfGnqv\
        xXqrX1MNMGv2ct2JeDyigbCJaTdqnAZ2bMS819FnoYVXF2o/xaKMQHuxARMarfS00jcqMJANzDIn9KHBFemBk3Gg\
        nRlO2v0CgYEA6Zt/XgIGoLOJisZsX3MZTuo+/qa++UYu/CoYRpVXndV3+6SwidYSOnxJfjiLHok8Z+ydMJYovEOA\
        Dy8+Jsh2/IrMBRRhaRCOyf0GOgErGdRDG3rJY7oyAtuOvraq45eXJ0faWnKsMhDo0NecAqn/yLXr9meZb7EYZJY3\
        CMgnI2sCgYEA3kTmJ25vyutbGB0oZKIuqQcq6Dql8WdJLmhmJYJ5w5eQJbx/KFPEZyTfaIWv1JqL7K3MNKwLPC3H\
        zYXsysmWfSRL6cKbY9Fynk5jHpzUJGAHxtKLz41FYLwdweX3xfiiY0xAHz7LO2KKM8JdM8PMP5VBil2tsc9CUzmf\
        SKSHWLUCgYEAsUjY+DcBYKPgFflP9YAcDM+ozwkslXC155jqo2Zi/90pGUh60aAsZUY9YBT5P0tXFGd1Q5Ixh+6S\
        GPP5buVjp3SOMKyu4FU4iAIF369TTl7QLuKYQ57ipViKlCF8vwwkIiNdipbMJ5K9nQCD3WG2RFQLpwwoXaNAp9V4\
        HqoHSdECgYAHCm+v+BOaffIYxXOuHGUV/aAiUxlGmFr9GVmC/qsUwwxR5bKxeFXUXpqlGPcE6RBdovPBB2Ijud+G\
        ZyOlGNWniSrOcNezRcM3uIvzQEyICnK0nZ7IKFV2Rv86USqUHtgmBRhS5Q5TB0ARe6qwJRenO/cjhuwlocccE8sz\
        5eJTsQKBgH7LXIKS0w7f/DRVKdBSHY3jg9bQy9Ve74OCfqYEpCjM/Gj9+8LGtJfAjPgPwZ8xIhy0dxzTbLh4Y3QY\
        JELkLdNJoFaGfW8GleMQS2WnN5/xsWc/4ZTf8UTLy7X4+h3zRuDldLioRn1CelOS9EeEeliF+RcdL6IBRjU7hyY8\
        Rw82
        """),
    intermediate: Pair(
      elliptic: "6KVumg0YvgZOpAB/Lrg2lrKRLA7F5/0GmhJsUNbGcDU=",
      rsa: """
        MIIEowIBAAKCAQEAlRf5blH84GHluRlXET8ts8MKcQE2P+ivB/Rl+/qD9fhDIy3hfQUW1t3TpX3ewdHY/aO/Vlzn\
        fe+iBJzcAt7tKRJYR1jTuOjcY3U4Z8KR4JI16m817z406KCixHihaFDmsr8w4ENH3mX84YCXYl8fLB9H6shsXeNU\
        J55MthkfQ/ttnyhSLRuKryGFZWyQmfaOY/lz5G53mpvHfp346GXtnVE23riYsvSgSKhE+gyDnWmeB6V1v1r9qSy0\
        YwFywusQRlNyjG5JXU5993sn89gjaYYf2O5hRkCpTAh+ye3Al/zzcolmwbsM4KupgIhTEpItP2u4FBdtivaXdI15\
        8ZGS6QIDAQABAoIBABh3lbxwAgLErhFhQjOXXaWpdVY0L7XvNoIkrnPambtM4Z+tUNrWcfgS8T+wV1URXf3J2IWQ\
        u4CkSb9eCpECCoN5+jjDMAOhW0GLJBWLDat/8w8k7wHzAHXIns2FSl+3HxToYVn8UJgDvqs3EiDXoWL5QzEZcQc7\
        Xj0eMlKT7tiV8xW73FQM1uQnwwz/13Vn0UMj2b4Rz6Tgjupn87gbajWXznbVIdpE+gDtlg2jUQr2Emj7XFdX7l7Z\
        YqXNYfEYmNio6VYfhmGcPu+FZabsB9NSHOizeMcwVyHsxt1PctNlfhopHWQV4EQOv2+njfTdcS7ngYn4yiNf+Ost\
        NwlNQH0CgYEA0J5rhf4F/ySDYvee015PQGBi9ojdEvnhChgNzfG/Qmpldadlj18mWaL6MUIz6nIEHg3FrO06DfnV\
        4jFKb9LpnT4nxqfQ689J39zV4s8m055dfBS/VV9pfTQa5MdA+y4VtvaDxR5r9xcDd3s+dtMu0GlKRJhxPlz97zir\
        SLp0z58CgYEAtvSfhMDroS2s+4pq08rSQMfXBaenD34LOOomDTVeUwJQp1/xEj5vUdxRPwi4L7dUtcTxJyKHP3Qf\
        liirSGIITlJetHYT0gTf7KKlt92Z2RqjVo3hXcSV2XekRRp+fr8iQWt/ZNEZbNAJLi3HBnCspou02g/ivHg1unag\
        Orlg8HcCgYAcIiER8s3QOJZXVFlg28kIP3dZE9/sXTJR8Ch8a2uFg1+nXCnACe7cC7R9zBXAOhwACY9s4JkBpX2I\
        gWkuZ10FzYoDqkHsawnlXJyjd5ge1a55uzqKQtGxBsPRsmU6+l4HTHs8q/uXWM0o4b/sulIH3Qsc8QnkhRnhltzS\
        dAKotQKBgDBAK6HTT1FevnRIeQwKPZEgIzE2mfSYBVWpSwfIv2uc/LBnuShalvk75aF+JzVOYGTf38m2bXzqnzn2\
        19VrJU2io59sVKXa60N5UcNACkcbo2A8Yudb5TlJOGWRKzM6LUqbkyl/i/kKlKE9KXQlWyNBTR0Fe4LBIUpf5roW\
        Ed7ZAoGBAJliL3fc+M3GpsqafsVb3EJbCe/neVgEifrO6sAxdUzFYZZUE4CWqv1mfYMIdvXq/jrmwAlJ8BNl6Z/r\
        Z/5SlqaXCYYPAakXzZaTNeIHp07yTH/HfPUjKcVzMRAPjwXdB5SZ5zp1kiVnT8C66p7ax6d3/WlIH3P2Ogif8cmI\
        vKRR
        """),
    signer: Pair(
      elliptic: "XYU8QGE1iYBOTKLarmxCwwe2lodurnA63EFYU6iyDwo=",
      rsa: """
        MIIEowIBAAKCAQEAtsEnLupyPbd3GsiLmU+LNeF0Z0XmxVd3O3rKVywTlcfeh6Rj/K3Mekr9obhqAkiD3JR2/ZE0\
        nu0X6wEuEa4hcm5AvRKJXs4FR7uwbPnJe5oNpoJ395384Gbs+0XgO7qlb/WTbMdXaLxTR2RfoZimRvf/vsIjwk0Y\
        triQMiSyyreoobRP9nU5DGvH2nZtktTjCZWOpHNSs/2PJ9bYgOMJn0LgODLHEyF/XrPj7kMVt8GRICcfxIGmuKqx\
        85psqV7bSacYxHSDsnqu/snNWxDtVFXTUdpBMslJBUFwjTNGxIBy23LutIQb2u7i5Ur6XUclapRganhhDPiARF2M\
        QQ5QzQIDAQABAoIBABjo22Mi7Aba/KY/Kv3u0GH79K6F4dZInXUTP8SheprqBvwUjVdZxhruIUN7fCGLCkQUzWIy\
        +knmNaIfw0yAIEl1WygaQHSWXrRgEgRMiKiq/wzQ0DLFSzw38zmtlMp3XojT33AOfKzHLI+4z+saACIAuBBjbFXV\
        xdZT8j2PcHo+UgWLc8zx/JN5/+qPHm3xzZ3k/0q0WG/AjVsuYM89na8kE1irJQiINdj1IK81/Nu5Kn3wDpAxfG45\
        UxdNcM71opdKQiX2Hm2iKOzbNa3RXByUaDg9KE3L7l5FB7MCxK1J6uNRPpNvmGzGbxt240RzOLEvG0UagVu2WAhx\
        c+N0DyECgYEA/lrJrsIYmTgB9ry+zC5RNzN1C6KvdGW2gK+rmMDhCecPLlVcrzYfOrFPNFu/ZfReVjTyS7x8N733\
        9TVeLkrvqXtUMrAZnv9qyHfro6pxQjQTbXJFGtQii0GIiwJ6hmXGPFvV5XwB9aVIha2zCNmE7WNuGHkqJbXZ1mzH\
        ppR/JSECgYEAt+/Lj6Hxq3zYSNJCG+utB+6reM5KVJdfIkBg10Hl2BAiJFAVRb9wx3wQv3fXt/8chfN+lMKlAEA1\
        noMGmUbbbBmDkej8qPBnPjboEDnar4i0flf3buuWaIc0lLHgngkQbVvO0azbe2h5Bb80w4PfpavVr+5yOI3flgYO\
        S/WRii0CgYB+LY2FWxYW1BjtTL6dzZBOgQFcT00YwehiOEM42N4KKox2YLRE2uVtGU6AW888BZjSzRsxhQReJqge\
        BWZ+MoBnpB2ls4RSQsS3Q/4qR8A9plXI4nnzkC6+xDi3NPiROWW4xZn7aKQUNvUeE4gQKM/vb3bLPzgwUuEIpRf5\
        xAq64QKBgCbZXPM/Tx3bRotK7W+cPXWZcVoYqBZpykwfsNSGNJeIAM4OpA+ROa7Ig3kNROC13z5jiW6+Fb+R0EFk\
        hzZEgv+3+9QLk6HS9NttGWKj9Y5xnz24MqiY1bHKLM7jKv/2BiQy6eHbUpgkHruaAPjyl4AUZRO9lx5eyMSVDtv4\
        R/8ZAoGBAPq6qWanggteRhV3/Sg8q9o07E8fH4AeYfWjBLQnAWLIZdHQ4+72XoXE4aZN2J8C0Xc+v+zUqsiNZacA\
        P+AFEP+nDOm6sMLE5oFzmbqSg1m2vCQdZN4axoAyG3S2A54rljH0xNDW5LFcYU6cXJo7tCfOQsInioTdWf3UpKfX\
        GmLX
        """))
}
